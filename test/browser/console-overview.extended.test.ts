import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { addPerson, addRole, administer, removeAll, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import { closeByEscape, untilShown } from './in-page.ts'

let openai: OpenAiServer
let tutti: ConsoleUnderTest
beforeAll(async () => {
  openai = await startOpenAiServer({ apiKey: 'sk-right' })
  tutti = await openConsole({ OPENAI_BASE_URL: openai.baseUrl, OPENAI_API_KEY: 'sk-right' })
})
afterAll(async () => {
  await tutti?.[Symbol.asyncDispose]()
  await openai?.[Symbol.asyncDispose]()
})

const ask = {
  id: 'ask',
  type: 'ai_prompt',
  prompt: 'Say something.',
  ai_options: { model: 'openai/gpt-4o-mini' },
  retry_config: { max_attempts: 1 },
}
const merge = {
  id: 'join',
  type: 'data_transform',
  transformations: [{ operation: 'merge', sources: ['content'] }],
}

let saved = 0

async function save(label: string, step: object, metadata: object = {}): Promise<string> {
  saved += 1
  const id = `flow_${saved}`
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: { id, label, steps: [step] },
    metadata,
  })
  return id
}

async function start(flow_id: string): Promise<string> {
  const body = { flow_id, context: { content: 'A text.' } }
  const path = '/ai-workflows/api/execute-flow-async'
  return (await administer<{ execution_id: string }>(tutti.platform, 'POST', path, body)).execution_id
}

async function statusOf(id: string): Promise<{ status: string }> {
  return await administer(tutti.platform, 'GET', `/ai-workflows/api/execution-status/${id}`)
}

/** Rejects pending approvals of an earlier attempt. */
async function cancelWaiting(): Promise<void> {
  const { approvals } = await administer<{ approvals: readonly { execution_id: string }[] }>(
    tutti.platform,
    'GET',
    '/ai-workflows/api/approvals',
  )
  for (const { execution_id: id } of approvals) {
    await administer(tutti.platform, 'POST', `/ai-workflows/api/executions/${id}/cancel`, {})
  }
}

const rowIn = (page: Page, table: string, text: string) =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text })

async function openLive(path: string, title: string) {
  const visit = await tutti.visit({ path })
  await waitForPage(visit.page, title)
  await visit.page.getByRole('status').getByText('Live', { exact: true }).waitFor()
  return visit
}

describe('the overview', () => {
  test('guides a user without runs to a first run that completes', async () => {
    const person = await addPerson(tutti.platform, 'fanny')
    await addRole(tutti.platform, { name: 'runner', label: 'Runner', permissions: ['run workflows'] })
    await administer(tutti.platform, 'PATCH', `/api/v1/users/${person.id}`, { roles: ['runner'] })
    await using visit = await visitAs(tutti, person, '/')
    const { page, complaints } = visit
    await waitForPage(page, 'Overview')
    await page.getByRole('button', { name: 'Run it now' }).waitFor()
    expect(await page.locator('main section').count()).toBe(1)
    expect(await page.locator('main dl').count()).toBe(0)
    await page.getByRole('button', { name: 'Run it now' }).click()
    await waitForPage(page, 'Summarise and translate')
    await page.locator('dl').first().getByText('Completed').waitFor()
    const result = page.getByRole('tabpanel', { name: 'Result' })
    await result.getByRole('button', { name: 'Copy result' }).waitFor()
    const next = page.getByRole('region', { name: 'Next steps' })
    await next.getByText(/^Your first run took .+ and cost nothing\.$/).waitFor()
    expect(await next.getByRole('link', { name: 'Edit a copy' }).count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await next.getByRole('button', { name: 'Run again with your own text' }).press('Enter')
    const again = page.getByRole('dialog', { name: 'Run again' })
    await again.getByRole('textbox', { name: 'Input', exact: true }).waitFor()
    await closeByEscape(again)
    await next.getByRole('link', { name: 'Create a schedule' }).click()
    await closeByEscape(page.getByRole('dialog', { name: 'Create schedule' }))
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await waitForPage(page, 'Overview')
    await page.getByRole('button', { name: 'Run it now' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('shows runs as they start and end, and leads from a failure to its list and to a new run', async () => {
    const goOn = Promise.withResolvers<void>()
    openai.script({ steps: [{ text: 'So ' }, { until: goOn.promise }, 'cut'] })
    const flow = await save('Ask the sea', ask)
    await using visit = await openLive('/', 'Overview')
    const { page, complaints } = visit
    expect(await page.getByRole('region', { name: 'Failures', exact: true }).count()).toBe(0)
    const id = await start(flow)
    const run = rowIn(page, 'Recent runs', id.slice(-12))
    await run.getByText('Running').waitFor()
    await page.locator('main dl').getByText('1 running').waitFor()
    goOn.resolve()
    await run.getByText('Failed').waitFor()
    const failure = rowIn(page, 'Failures', 'Ask the sea')
    await failure.waitFor()
    await page.locator('main dl').getByText('1 failed').waitFor()
    await rowIn(page, 'Most failures', 'Ask the sea').waitFor()

    await failure.getByRole('link', { name: '1 run', exact: true }).click()
    await waitForPage(page, 'Executions')
    expect(page.url()).toContain(`status=failed&flow=${flow}`)
    await page
      .getByRole('link', { name: id.slice(-12) })
      .or(page.getByText('Ask the sea'))
      .first()
      .waitFor()
    await page.goto('/')
    await failure.getByRole('link', { name: 'Run again: Ask the sea' }).click()
    await page.getByRole('dialog', { name: 'Run again' }).waitFor()
    expect(page.url()).toContain(id)
    expect(complaints).toEqual([])
  })

  test('approves one execution in place and rejects another, each with a note', async () => {
    await cancelWaiting()
    const flow = await save('Publish a text', merge, { approval_required: true })
    const [first, second] = [await start(flow), await start(flow)]
    await using visit = await openLive('/', 'Overview')
    const { page } = visit
    const waiting = page.getByRole('list', { name: 'Pending approvals' }).getByRole('listitem')
    const of = (id: string) => waiting.filter({ has: page.locator(`a[href$="${id}"]`) })
    await of(first).getByText('A text.').waitFor()
    // No worker can take them, so they are not queued.
    await page.locator('dl').first().getByText('2 need approval').waitFor()
    expect(await page.locator('dl').first().getByText('queued').count()).toBe(0)
    await of(first).getByLabel('Note about').fill('Go ahead.')
    await of(first).getByRole('button', { name: 'Approve Publish a text' }).click()
    await of(first).waitFor({ state: 'detached' })
    await of(second).getByLabel('Note about').fill('Not today.')
    await of(second).getByRole('button', { name: 'Reject Publish a text' }).click()
    await page.getByText('No pending approvals.').waitFor()
    await expect.poll(() => statusOf(first)).toMatchObject({ status: 'completed' })
    await expect.poll(() => statusOf(second)).toMatchObject({ status: 'cancelled' })
  })

  test('asks the question of an execution, and sends the answer', async () => {
    const flow = await save('Ask a person', {
      id: 'review',
      type: 'human',
      message: 'May it be **published**?',
    })
    const id = await start(flow)
    await using visit = await openLive('/', 'Overview')
    const { page, complaints } = visit
    const tasks = page.getByRole('region', { name: 'Human tasks' })
    await tasks.getByText('May it be published?').waitFor()
    await tasks.getByRole('radio', { name: 'Yes' }).check()
    await tasks.getByRole('button', { name: 'Send answer' }).click()
    await tasks.getByText('No open tasks.').waitFor()
    await expect.poll(() => statusOf(id)).toMatchObject({ status: 'completed' })
    expect(complaints).toEqual([])
  })

  test('shows the state of the platform in a tab', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await page.getByText('System', { exact: true }).click()
    await page.waitForURL(/tab=system/)
    await page.getByRole('table', { name: 'Recurring tasks' }).waitFor()
    await page.getByText('Today', { exact: true }).click()
    await page.getByRole('region', { name: 'Runs', exact: true }).waitFor()
  })

  test('shows a user without the run permission their own day, without refused requests', async () => {
    const person = await addPerson(tutti.platform, 'niels')
    await using visit = await visitAs(tutti, person, '/?tab=system')
    const { page, complaints } = visit
    await waitForPage(page, 'Overview')
    await page.getByRole('meter', { name: 'Daily budget' }).waitFor()
    expect(await page.getByRole('region', { name: /Runs|Approvals|Next runs/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Open playground' }).click()
    await waitForPage(page, 'Playground')
    expect(complaints).toEqual([])
  })
})

test('a schedule is created with a preview of its times, runs now, is disabled and deleted', async () => {
  const flow = await save('Morning letter', merge)
  await removeAll(tutti.platform, '/ai-workflows/api/schedules', 'schedules', 'schedule_id')
  await using visit = await openLive('/schedules', 'Schedules')
  const { page } = visit
  await page.getByRole('button', { name: 'Create schedule' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create schedule' })
  await form.getByLabel('Workflow', { exact: true }).selectOption(flow)
  await form.getByLabel('Name').fill('Letters')
  const preview = form.getByRole('region', { name: 'Schedule preview' })
  await form.getByLabel('Cron expression', { exact: true }).fill('0 25 * * *')
  await preview.getByText('it takes 0 to 23').waitFor()
  await form.getByLabel('Cron expression', { exact: true }).fill('30 8 * * 1-5')
  await form.getByLabel('Time zone').selectOption('America/New_York')
  await preview.getByText('At 8:30 from Monday to Friday, America/New_York').waitFor()
  await expect.poll(() => preview.getByRole('listitem').count()).toBe(5)
  await expect.poll(() => preview.getByRole('listitem').first().innerText()).toMatch(/08:30 \(UTC-0[45]:00\)/)
  await form.getByRole('button', { name: 'Create schedule' }).click()
  const drawer = page.getByRole('dialog', { name: 'Letters' })
  await drawer.getByLabel('Name').fill('Evening letters')
  const change = drawer.getByRole('button', { name: 'Save' })
  await untilShown(page, '“Evening letters” is saved', () => change.click())
  await drawer.waitFor()
  await page.goto('/')
  await rowIn(page, 'Next runs', 'Evening letters').getByRole('link').click()
  await drawer.getByRole('button', { name: 'Run now' }).click()
  await waitForPage(page, 'Morning letter')
  await page.locator('dl').first().getByText('Completed').waitFor()
  await page.goto('/')
  const outcomes = rowIn(page, 'Next runs', 'Evening letters').getByRole('group', { name: /^Last runs: 1 / })
  await outcomes.getByRole('link').waitFor()
  await page.goto('/schedules')
  await rowIn(page, 'Schedules', 'Evening letters').getByRole('button').first().click()
  await drawer.getByRole('button', { name: 'Disable' }).click()
  await rowIn(page, 'Schedules', 'Evening letters').getByText('Disabled').waitFor()
  await drawer.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('dialog', { name: 'Delete “Evening letters”?' }).waitFor()
  await page.getByRole('button', { name: 'Delete schedule' }).click()
  await page.getByText('No schedules yet.').waitFor()
})
