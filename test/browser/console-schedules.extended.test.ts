import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { administer, removeAll } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti?.[Symbol.asyncDispose]())
beforeEach(() => removeAll(tutti.platform, '/ai-workflows/api/schedules', 'schedules', 'schedule_id'))

let saved = 0

const merge = {
  id: 'join',
  type: 'data_transform',
  transformations: [{ operation: 'merge', sources: ['content'] }],
}
/** A request to this machine is refused unless the settings allow it. */
const refused = {
  id: 'fetch',
  type: 'external_api',
  api: { url: 'http://127.0.0.1:9/prices', method: 'GET', retry_attempts: 0 },
  retry_config: { max_attempts: 1 },
}

async function save(label: string, step: object, metadata: object = {}): Promise<string> {
  saved += 1
  const id = `planned_${saved}`
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: { id, label, steps: [step] },
    metadata,
  })
  return id
}

const plan = (body: object) =>
  administer<{ schedule_id: string }>(tutti.platform, 'POST', '/ai-workflows/api/schedules', {
    cron: '0 9 * * *',
    ...body,
  })

interface Read {
  readonly recent: readonly { readonly outcome: string }[]
}

/** Runs a schedule now, and waits until its execution has ended. */
async function run(id: string, outcome: string): Promise<void> {
  await administer(tutti.platform, 'POST', `/ai-workflows/api/schedules/${id}/run`)
  await expect
    .poll(async () => {
      const { recent } = await administer<Read>(tutti.platform, 'GET', `/ai-workflows/api/schedules/${id}`)
      return recent[0]?.outcome
    })
    .toBe(outcome)
}

const rowOf = (page: Page, label: string) =>
  page.getByRole('table', { name: 'Schedules' }).getByRole('row').filter({ hasText: label })

test('eight failed runs are red, with their cause, in the list and in the details', async () => {
  const flow = await save('Prices', refused)
  const { schedule_id: id } = await plan({
    flow_id: flow,
    label: 'Morning prices',
    context: { content: 'x' },
  })
  for (let round = 0; round < 8; round += 1) await run(id, 'failed')
  await using visit = await tutti.visit({ path: '/schedules' })
  const { page, complaints } = visit
  await waitForPage(page, 'Schedules')
  const row = rowOf(page, 'Morning prices')
  await row.getByText('Failing', { exact: true }).waitFor()
  await row.getByText('Failed', { exact: true }).waitFor()
  expect(await page.getByText('Started').count()).toBe(0)
  const bars = row.getByRole('group', { name: 'Last runs: 8 failed' })
  await expect.poll(() => bars.getByRole('link').count()).toBe(8)
  expect(await findViolations(page)).toEqual([])

  // The row of outcomes is one tab stop; the arrow keys move in it, and Enter opens the execution.
  await bars.getByRole('link').last().focus()
  await page.keyboard.press('ArrowLeft')
  await bars.getByRole('link').nth(6).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Failure' }).waitFor()
  await page.goBack()

  await row.getByRole('button', { name: /^Morning prices/ }).press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Morning prices' })
  const runs = drawer.getByRole('table', { name: 'Last runs' })
  await drawer.getByText('8 failed.').waitFor()
  await expect.poll(() => runs.getByText('Failed', { exact: true }).count()).toBe(8)
  await runs.getByText('manual').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await switchColours(page, 'dark')
  expect(await findViolations(page)).toEqual([])
  await runs.getByRole('link').first().click()
  await page.getByRole('region', { name: 'Failure' }).waitFor()
  expect(complaints).toEqual([])
})

test('a run on time appears by itself with its outcome, also in a narrow window', async () => {
  const flow = await save('Letter', merge)
  await plan({
    flow_id: flow,
    label: 'Every ten seconds',
    cron: '*/10 * * * * *',
    context: { content: 'Good morning' },
  })
  await using visit = await tutti.visit({ path: '/schedules', viewport: { width: 390, height: 844 } })
  const { page } = visit
  await waitForPage(page, 'Schedules')
  const row = rowOf(page, 'Every ten seconds')
  await row.getByText('Completed', { exact: true }).waitFor()
  await row.getByRole('group', { name: /^Last runs: \d+ completed/ }).waitFor()
  expect(await readSidewaysScroll(page)).toBe(0)
  expect(await findViolations(page)).toEqual([])
})

test('a new schedule begins with the sample input of its workflow', async () => {
  const flow = await save('Report', merge, { sample_input: { content: 'A sample', city: 'Oslo' } })
  await using visit = await tutti.visit({ path: '/schedules?create=true' })
  const { page } = visit
  const form = page.getByRole('dialog', { name: 'Create schedule' })
  await form.getByLabel('Workflow', { exact: true }).selectOption(flow)
  const input = form.getByRole('textbox', { name: 'Input' })
  await expect.poll(() => input.inputValue()).toContain('Oslo')
  await form.getByRole('button', { name: 'Create schedule' }).click()
  const drawer = page.getByRole('dialog', { name: flow })
  await drawer.getByText('No runs yet.').waitFor()
  await drawer.getByRole('button', { name: /^Run now/ }).click()
  await waitForPage(page, 'Report')
  await page.locator('dl').first().getByText('Completed').waitFor()
})
