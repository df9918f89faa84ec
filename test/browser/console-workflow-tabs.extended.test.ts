import { afterAll, beforeAll, expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import { pressAt, readSidewaysScroll, switchColours } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole({ TUTTI_SECRET: 'a secret of this test that is long enough' })
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

const api = '/ai-workflows/api'

const definition = (id: string, label: string, sources: readonly string[] = ['content']) => ({
  id,
  label,
  steps: [{ id: 'copy', type: 'data_transform', transformations: [{ operation: 'merge', sources }] }],
})

test('a webhook is created, started by a request, replayed, disabled, changed and deleted on the page of its workflow', {
  timeout: 180_000 * patience,
}, async () => {
  await administer(tutti.platform, 'POST', `${api}/flows`, {
    flow_definition: definition('hooked', 'Hooked'),
  })
  await using visit = await tutti.visit({ path: '/workflows/hooked?tab=triggers' })
  const { page, complaints } = visit
  await waitForPage(page, 'Hooked')
  await page.getByRole('button', { name: 'Create trigger' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Create trigger' })
  await form.getByRole('textbox', { name: 'Label' }).fill('Orders')
  await form.getByLabel('Verification').selectOption('none')
  const input = form.getByRole('textbox', { name: 'Input' })
  await input.fill('{')
  await form.getByText('JSON').first().waitFor()
  await input.fill('{"content": "{{body.text}}"}')
  expect(await findViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Create trigger' }).press('Enter')
  const secret = page.getByRole('dialog', { name: 'URL of “Orders”' })
  const url = await secret.locator('[data-secret=URL]').innerText()
  await pressAt(secret.getByRole('button', { name: 'I have saved it' }))

  const sent = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"text": "from a request"}',
  })
  expect(sent.status).toBe(202)
  await page.reload()
  const row = page.getByRole('table', { name: 'Triggers' }).getByRole('row').nth(1)
  await row.getByText('Started').waitFor()
  await row.getByRole('button', { name: 'Orders' }).press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Orders' })
  const deliveries = drawer.getByRole('table', { name: 'Deliveries' })
  await deliveries.getByText('Started').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await deliveries.getByRole('button', { name: /^Replay/ }).press('Enter')
  await expect.poll(() => deliveries.getByRole('link', { name: 'Open run' }).count()).toBe(2)

  // A disabled trigger refuses requests; URL and verification stay when it is changed.
  await drawer.getByRole('button', { name: 'Disable', exact: true }).press('Enter')
  await drawer.getByRole('button', { name: 'Enable', exact: true }).waitFor()
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(404)
  await drawer.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
  const editing = page.getByRole('dialog', { name: 'Edit trigger' })
  await editing.getByRole('textbox', { name: 'Label' }).fill('New orders')
  await editing.getByRole('textbox', { name: 'Input' }).fill('{"content": "New: {{body.text}}"}')
  expect(await findViolations(page)).toEqual([])
  await editing.getByRole('button', { name: 'Save trigger' }).press('Enter')
  const changed = page.getByRole('dialog', { name: 'New orders' })
  await changed.getByText('Disabled').waitFor()
  await changed.getByText('New: {{body.text}}').first().waitFor()
  await pressAt(changed.getByRole('button', { name: 'Enable', exact: true }))
  await changed.getByRole('button', { name: 'Disable', exact: true }).waitFor()
  const again = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"text": "changed"}',
  })
  expect(again.status).toBe(202)
  await changed.getByRole('button', { name: 'Delete trigger…' }).press('Enter')
  await pressAt(page.getByRole('button', { name: 'Delete trigger', exact: true }))
  await page.getByText('No webhook or event starts this workflow.').waitFor()
  expect(complaints).toEqual([])
})

test('a test is recorded from a run, passes, and names what a new version breaks', async () => {
  const flow_definition = definition('tested', 'Tested')
  await administer(tutti.platform, 'POST', `${api}/flows`, { flow_definition })
  await administer(tutti.platform, 'POST', `${api}/execute-flow`, {
    flow_id: 'tested',
    context: { content: 'The sea', other: 'The hill' },
  })
  await using visit = await tutti.visit({ path: '/workflows/tested?tab=tests' })
  const { page, complaints } = visit
  await waitForPage(page, 'Tested')
  await page.getByRole('button', { name: 'Record a test' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Record a test' })
  await form.getByRole('textbox', { name: 'Name' }).fill('of-the-sea')
  await form
    .getByRole('textbox', { name: 'Expected' })
    .fill('[{"field": "result.content", "operator": "==", "value": "The sea"}]')
  expect(await findViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Save test' }).press('Enter')
  await form.waitFor({ state: 'detached' })
  const row = page.getByRole('table', { name: 'Tests' }).getByRole('row').nth(1)
  await row.getByText('Not run').waitFor()
  await page.getByRole('button', { name: 'Run all tests' }).press('Enter')
  await row.getByText('Passed').waitFor()
  await page.getByRole('status').getByText('The test passed.').waitFor()

  await administer(tutti.platform, 'PUT', `${api}/flows/tested`, {
    flow_definition: definition('tested', 'Tested', ['other']),
  })
  await row.getByRole('button', { name: 'Run of-the-sea' }).press('Enter')
  await row.getByText('Failed').waitFor()
  await row.getByText(/result\.content/).waitFor()
  await row.getByRole('link', { name: 'Open run' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await switchColours(page, 'dark')
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await readSidewaysScroll(page)).toBe(0)
  await page.getByRole('button', { name: 'Delete of-the-sea' }).press('Enter')
  await pressAt(page.getByRole('button', { name: 'Delete test' }))
  await page.getByText(/^No tests\./).waitFor()
  expect(complaints).toEqual([])
})

test('a human task is found in the list and answered there', async () => {
  await administer(tutti.platform, 'POST', `${api}/flows`, {
    flow_definition: {
      id: 'asking',
      label: 'Asking',
      steps: [{ id: 'ask', type: 'human', message: 'Shall **{{content}}** be published?' }],
    },
  })
  const { execution_id: id } = await administer<{ execution_id: string }>(
    tutti.platform,
    'POST',
    `${api}/execute-flow-async`,
    { flow_id: 'asking', context: { content: 'this text' } },
  )
  await using visit = await tutti.visit({ path: '/executions' })
  const { page, complaints } = visit
  await page
    .getByRole('navigation', { name: 'Executions' })
    .getByRole('link', { name: 'Human tasks' })
    .press('Enter')
  await waitForPage(page, 'Human tasks')
  const row = page.getByRole('table', { name: 'Human tasks' }).getByRole('row').nth(1)
  await row.getByText('Shall this text be published?').waitFor({ timeout: 45_000 * patience })
  expect(await findViolations(page)).toEqual([])
  await row.getByRole('button').first().press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Asking' })
  await pressAt(drawer.getByRole('button', { name: 'Send answer' }))
  await drawer.getByText('Must not be empty.').first().waitFor()
  await drawer.getByRole('radio', { name: 'Yes' }).press('Space')
  expect(await findViolations(page)).toEqual([])
  await drawer.getByRole('button', { name: 'Send answer' }).press('Enter')
  await drawer.getByText('Answered', { exact: true }).waitFor()
  await drawer.getByRole('link', { name: id.slice(-12) }).press('Enter')
  await page.waitForURL(new RegExp(`/executions/${id}`))
  await page.locator('dl').first().getByText('Completed').waitFor()
  expect(complaints.filter((line) => !line.includes('400'))).toEqual([])
})
