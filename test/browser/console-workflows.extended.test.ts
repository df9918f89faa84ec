import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { closeByEscape, pressAt } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

const runView = /\/executions\/[0-9a-f-]{36}/
const shell = promisify(execFile)

async function saveFlow(id: string): Promise<void> {
  const step = {
    id: 'one',
    type: 'ai_prompt',
    prompt: 'Analyse {{content}}',
    ai_options: { model: 'builtin:text' },
  }
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: { id, label: `Flow ${id}`, steps: [step] },
  })
}

test('a workflow is disabled, its run is refused with the reason, and it runs once it is enabled', async () => {
  await saveFlow('paused')
  await administer(tutti.platform, 'POST', '/ai-workflows/api/schedules', {
    flow_id: 'paused',
    cron: '0 9 * * *',
  })
  await using visit = await tutti.visit({ path: '/workflows' })
  const { page } = visit
  await waitForPage(page, 'Workflows')
  await page.getByRole('button', { name: 'More actions for Flow paused' }).click()
  await page.getByRole('menuitem', { name: 'Disable…' }).click()
  await page.getByRole('dialog').getByText('It has one schedule.').waitFor()
  await page.getByRole('button', { name: 'Disable workflow' }).click()
  await page
    .getByRole('row', { name: /Flow paused/ })
    .getByText('Disabled')
    .waitFor()
  await page.getByRole('button', { name: 'Disabled 1' }).click()
  await page.waitForURL('**/workflows?state=disabled')
  await page.getByText('1 workflow', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Flow paused' }).click()
  await waitForPage(page, 'Flow paused')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Run Flow paused' })
  await dialog.getByRole('button', { name: 'Run' }).click()
  await dialog.getByText('The flow "paused" is disabled.', { exact: false }).waitFor()
  await closeByEscape(dialog)

  await pressAt(page.getByRole('button', { name: 'Enable', exact: true }))
  await page.getByRole('button', { name: 'Enable', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await dialog.getByRole('button', { name: 'Run' }).click()
  await page.waitForURL(runView)
  await page.getByText('1 of 1 steps finished').waitFor()
})

test('the page of a workflow has its runs, its schedules and its statistics', async () => {
  await saveFlow('looked_at')
  await administer(tutti.platform, 'POST', '/ai-workflows/api/execute-flow', {
    flow_id: 'looked_at',
    context: { content: 'A text.' },
  })
  await using visit = await tutti.visit({ path: '/workflows/looked_at?tab=runs' })
  const { page, complaints } = visit
  await waitForPage(page, 'Flow looked_at')
  const runs = page.getByRole('table', { name: 'Runs', exact: true })
  await runs.getByText('Completed').waitFor()
  // The runs have the columns and the order of the executions page.
  await runs.getByRole('columnheader', { name: 'Trigger' }).waitFor()
  await runs.getByRole('button', { name: 'Duration' }).click()
  await page.waitForURL('**/workflows/looked_at?tab=runs&sort=-duration')
  await runs
    .getByRole('columnheader', { name: 'Duration' })
    .and(page.locator('[aria-sort=descending]'))
    .waitFor()
  await page.getByText('Success rate').waitFor()
  // The statistics and the chart are those of the chosen period.
  const period = page.getByRole('group', { name: 'Period' })
  await period.getByRole('button', { name: '24 h' }).click()
  await page.waitForURL('**/workflows/looked_at?*timeframe=24h*')
  const chart = page.getByRole('figure', { name: 'Runs over time' })
  await chart.locator('canvas').waitFor()
  await chart.getByText('Last 24 hours').first().waitFor()
  await period.getByRole('button', { name: '30 d' }).click()
  await page.waitForURL('**/workflows/looked_at?tab=runs&sort=-duration')
  await chart.getByText('Last 30 days').first().waitFor()
  await page.getByRole('tab', { name: 'Runs' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL('**/workflows/looked_at?sort=-duration')
  await page.locator('.react-flow__node').first().waitFor()
  await page.getByRole('tab', { name: 'Schedules' }).click()
  await page.getByRole('button', { name: 'Create schedule' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create schedule' }).click()
  await page.getByRole('table', { name: 'Schedules' }).getByText('Enabled').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await runs.getByRole('link').first().click()
  await page.waitForURL(runView)
  expect(complaints).toEqual([])
})

test('a workflow runs with a value for everything it reads, and its schedules show how their runs ended', async () => {
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: {
      id: 'reads_much',
      label: 'Reads much',
      description: 'Put the text into `content`.',
      steps: [
        {
          id: 'join',
          type: 'data_transform',
          transformations: [{ operation: 'merge', sources: ['content', 'metadata.topic'] }],
        },
      ],
    },
  })
  const schedule = await administer<{ schedule_id: string }>(
    tutti.platform,
    'POST',
    '/ai-workflows/api/schedules',
    { flow_id: 'reads_much', cron: '0 6 * * *', timezone: 'UTC', context: { content: 'A text.' } },
  )
  await administer(tutti.platform, 'POST', `/ai-workflows/api/schedules/${schedule.schedule_id}/run`)
  await using visit = await tutti.visit({
    path: '/workflows/reads_much?tab=api',
    viewport: { width: 390, height: 844 },
  })
  const { page, complaints } = visit
  await waitForPage(page, 'Reads much')
  await page.locator('main p code', { hasText: /^content$/ }).waitFor()
  await page.getByText('"topic": "music"').first().waitFor()
  // The row of tabs scrolls to the current one.
  const tab = page.getByRole('tab', { name: 'API' })
  await expect
    .poll(async () => {
      const box = await tab.boundingBox()
      return (box?.x ?? 390) + (box?.width ?? 0)
    })
    .toBeLessThanOrEqual(390)

  await page.setViewportSize({ width: 1280, height: 720 })
  await page.getByRole('tab', { name: 'Schedules' }).click()
  const row = page.getByRole('table', { name: 'Schedules' }).getByRole('row').nth(1)
  await row.getByRole('link', { name: 'Completed' }).first().waitFor()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Run Reads much' })
  const input = dialog.getByLabel('Input')
  await expect.poll(() => input.inputValue()).toContain('"topic": "music"')
  // The keyboard begins in the field, not at the button that closes the dialog.
  await expect.poll(() => input.evaluate((it) => it === it.ownerDocument.activeElement)).toBe(true)
  await dialog.getByRole('button', { name: 'Run' }).click()
  await page.waitForURL(runView)
  // A short run ends on its result.
  await page.getByRole('tabpanel', { name: 'Result' }).getByText('music').first().waitFor()
  expect(complaints).toEqual([])
})

test('the curl command of the API tab runs the workflow', async () => {
  await saveFlow('called')
  const { key } = await administer<{ key: string }>(tutti.platform, 'POST', '/api/v1/api-keys', {
    name: 'For curl',
  })
  await using visit = await tutti.visit({ path: '/workflows/called?tab=api' })
  const { page } = visit
  await waitForPage(page, 'Flow called')
  const command = await page.getByRole('region', { name: 'Run and wait for the result' }).last().innerText()
  const { stdout } = await shell('sh', ['-c', `${command.trim()} --silent --show-error`], {
    env: { ...process.env, TUTTI_API_KEY: key },
  })
  expect(JSON.parse(stdout)).toMatchObject({ success: true, status: 'completed' })
  await page.getByText('TypeScript', { exact: true }).click()
  await page.getByText("from '@tutti/client'", { exact: false }).first().waitFor()
})

test('a workflow is duplicated from its row and deleted from its page', async () => {
  await saveFlow('doubled')
  await using visit = await tutti.visit({ path: '/workflows' })
  const { page } = visit
  await waitForPage(page, 'Workflows')
  await page.getByRole('rowheader', { name: 'Yours' }).waitFor()
  await page.getByRole('rowheader', { name: 'Built-in' }).waitFor()
  await page.getByRole('button', { name: 'More actions for Flow doubled' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.waitForURL('**/workflows/new?from=doubled')
  await page.goto('/workflows/doubled')
  await waitForPage(page, 'Flow doubled')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete workflow' }).click()
  await waitForPage(page, 'Workflows')
  await page.getByRole('link', { name: 'Text insights' }).waitFor()
  await page.getByRole('link', { name: 'Flow doubled' }).waitFor({ state: 'detached' })
})
