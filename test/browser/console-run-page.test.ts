import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, administer, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import { pressAt, readSidewaysScroll, switchColours, untilShown } from './in-page.ts'

let service: Server
let serviceUrl: string
let tutti: ConsoleUnderTest

beforeAll(async () => {
  service = createServer(({ url = '' }, response) => {
    const works = !url.startsWith('/broken')
    response.writeHead(works ? 200 : 503, { 'content-type': 'application/json', 'x-reason': 'maintenance' })
    response.end(
      works ? '{"price": 42}' : `{"error": "closed for repairs", "lines": "${'again '.repeat(60)}"}`,
    )
  })
  await new Promise<void>((resolve) => {
    service.listen(0, '127.0.0.1', resolve)
  })
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  tutti = await openConsole({ TUTTI_OUTBOUND_ALLOW: '127.0.0.1' })
})
afterAll(async () => {
  await tutti?.[Symbol.asyncDispose]()
  service.close()
})

let made = 0

/** Saves a flow and enqueues an execution of it. */
async function start(
  steps: readonly object[],
  { context = { content: 'A text.' }, ...metadata }: { context?: object; approval_required?: boolean } = {},
): Promise<{ id: string; flow: string; label: string }> {
  made += 1
  const flow = `shown_${made}`
  const label = `Shown ${made}`
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: { id: flow, label, steps },
    metadata,
  })
  const { execution_id: id } = await administer<{ execution_id: string }>(
    tutti.platform,
    'POST',
    '/ai-workflows/api/execute-flow-async',
    { flow_id: flow, context },
  )
  return { id, flow, label }
}

const fetchFrom = (url: string, more: object = {}) => ({
  id: 'fetch',
  label: 'Fetch prices',
  type: 'external_api',
  api: { url, method: 'GET', retry_attempts: 0 },
  retry_config: { max_attempts: 1 },
  ...more,
})

const merge = (id: string, more: object = {}) => ({
  id,
  type: 'data_transform',
  transformations: [{ operation: 'merge', sources: ['content'] }],
  ...more,
})

const stateOf = (page: Page) => page.locator('dl').first()
const timeline = (page: Page) => page.getByRole('list', { name: 'Steps over time' })

const ways = [
  ['mouse', (target: Locator) => target.click()],
  ['keyboard', (target: Locator) => pressAt(target)],
] as const

describe.each(ways)('by %s, a failed run', (way, act) => {
  test('shows its cause, is edited, and runs again with the new version', async () => {
    const { id, flow } = await start([
      merge('before'),
      fetchFrom(`${serviceUrl}/broken`, { dependencies: ['before'] }),
      merge('after', { dependencies: ['fetch'] }),
    ])
    await using visit = await tutti.visit({ path: `/executions/${id}` })
    const { page, complaints } = visit
    const failure = page.getByRole('region', { name: 'Failure' })
    await failure.getByText('Failed at “Fetch prices”').waitFor()
    await failure.getByText('closed for repairs').waitFor()

    const panel = page.getByRole('complementary', { name: 'Fetch prices' })
    const error = panel.getByRole('region', { name: 'Error' })
    await error.getByText('503').first().waitFor()
    await error.getByText(`GET ${serviceUrl}/broken`).waitFor()
    await error
      .getByRole('region', { name: 'Response body' })
      .getByText('closed for repairs')
      .first()
      .waitFor()
    await act(error.getByText('Response headers'))
    await error.getByText('maintenance').waitFor()
    await timeline(page)
      .getByRole('button', { name: /^after.*not run$/ })
      .waitFor()

    await act(failure.getByRole('link', { name: 'Edit this step' }))
    await page.waitForURL(new RegExp(`/workflows/${flow}/edit\\?.*step=fetch`))
    expect(new URL(page.url()).searchParams.get('run')).toBe(id)
    await page.goto(`/workflows/${flow}/edit?view=list`)
    await act(page.locator('[data-step="fetch"] [data-part="open"]'))
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${serviceUrl}/fine`)
    await page.getByText('No problems', { exact: true }).first().waitFor()
    await act(page.getByRole('button', { name: 'Save', exact: true }))
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' })
    await untilShown(page, 'Saved as version 2', () => act(save))

    await page.goto(`/executions/${id}`)
    await act(failure.getByRole('button', { name: 'Run again…' }))
    const dialog = page.getByRole('dialog', { name: 'Run again' })
    expect(await dialog.getByRole('radio', { name: 'Latest version (2)' }).isChecked()).toBe(true)
    await dialog.getByRole('list', { name: 'Changes since version 1' }).getByText('fetch').waitFor()
    const input = dialog.getByRole('textbox', { name: 'Input', exact: true })
    expect(JSON.parse(await input.inputValue())).toEqual({ content: 'A text.' })
    await input.fill('{')
    await dialog.getByText('JSON').first().waitFor()
    await input.fill(`{"content": "Another text, by ${way}."}`)
    await act(dialog.getByRole('button', { name: 'Run', exact: true }))
    await page.waitForURL((url) => url.pathname.startsWith('/executions/') && !url.pathname.includes(id))
    await stateOf(page).getByText('Completed').waitFor()
    await page.getByText('Version 2 of').waitFor()
    await act(page.getByRole('tab', { name: 'Result' }))
    await page.getByRole('tabpanel', { name: 'Result' }).getByText(`Another text, by ${way}.`).waitFor()
    await page.getByRole('link', { name: 'Compare with the original' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('the details of a step', () => {
  test('stand beside the timeline, follow the arrow keys, are resized and closed by keyboard', async () => {
    const { id } = await start([merge('one'), merge('two', { dependencies: ['one'] })])
    await using visit = await tutti.visit({ path: `/executions/${id}?tab=timeline` })
    const { page } = visit
    await stateOf(page).getByText('Completed').waitFor()
    await timeline(page).getByRole('button', { name: /^two/ }).focus()
    await page.keyboard.press('ArrowUp')
    await page.waitForURL(/step=one/)
    const panel = page.getByRole('complementary', { name: 'one' })
    await panel.getByRole('region', { name: 'Output' }).waitFor()
    await page.keyboard.press('Enter')
    await panel.and(page.locator(':focus')).waitFor()
    const edge = panel.getByRole('separator', { name: 'Width of the panel' })
    const before = Number(await edge.getAttribute('aria-valuenow'))
    await edge.press('ArrowLeft')
    await expect.poll(async () => Number(await edge.getAttribute('aria-valuenow'))).toBe(before + 24)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await timeline(page).getByRole('button', { name: /^one/ }).and(page.locator(':focus')).waitFor()
  })

  test('open as a drawer in a narrow window, and fold long values', async () => {
    const content = Array.from({ length: 400 }, (_, index) => `Line ${index + 1}.`).join('\n')
    const { id } = await start([merge('one')], { context: { content } })
    await using visit = await tutti.visit({
      path: `/executions/${id}?tab=timeline`,
      viewport: { width: 390, height: 844 },
    })
    const { page } = visit
    await stateOf(page).getByText('Completed').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await timeline(page).getByRole('button', { name: /^one/ }).click()
    const drawer = page.getByRole('dialog', { name: 'one' })
    const output = drawer.getByRole('region', { name: 'Output' }).first()
    await output.getByText('JSON', { exact: true }).click()
    await output.getByText('Line 1.').first().waitFor()
    expect(await output.getByText('Line 400.').count()).toBe(0)
    await output.getByRole('button', { name: /^Show all/ }).click()
    await output.getByText('Line 400.').waitFor()
    expect(await readSidewaysScroll(page)).toBe(0)
    expect(await findViolations(page)).toEqual([])
  })
})

describe('a run that waits', () => {
  test('for approval shows its input, and is approved on its own page', async () => {
    const { id, label } = await start([merge('one')], {
      context: { content: 'Please publish this.' },
      approval_required: true,
    })
    await using visit = await tutti.visit({ path: `/executions/${id}` })
    const { page, complaints } = visit
    const box = page.getByRole('region', { name: 'Approval' })
    await box.getByText('Please publish this.').waitFor()
    await box.getByText('Requested by admin').waitFor()
    expect(await findViolations(page)).toEqual([])
    await box.getByRole('textbox', { name: `Note about ${label}` }).fill('Fine.')
    await box.getByRole('button', { name: `Approve ${label}` }).press('Enter')
    await stateOf(page).getByText('Completed').waitFor()
    await box.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('for an answer shows the form, which is filled in on its page', async () => {
    const { id } = await start([
      {
        id: 'ask',
        label: 'Ask the editor',
        type: 'human',
        message: 'Shall **{{content}}** be published?',
        form: {
          type: 'object',
          required: ['approved', 'price'],
          properties: {
            approved: { type: 'boolean', title: 'Publish it' },
            price: { type: 'number', title: 'Price' },
            channel: { type: 'string', title: 'Channel', enum: ['web', 'print'] },
          },
        },
        require_comment: true,
      },
    ])
    await using visit = await tutti.visit({ path: `/executions/${id}` })
    const { page, complaints } = visit
    const box = page.getByRole('region', { name: 'Waiting' })
    await box.getByText('Waiting for an answer').first().waitFor()
    await box.getByText('A text.').waitFor()
    await stateOf(page).getByText('Needs answer').waitFor()
    expect(await findViolations(page)).toEqual([])
    await switchColours(page, 'dark')
    expect(await findViolations(page)).toEqual([])
    await switchColours(page, 'light')

    const answer = box.getByRole('button', { name: 'Send answer' })
    await box.getByRole('textbox', { name: 'Price' }).fill('much')
    await box.getByRole('radio', { name: 'Yes' }).check()
    await answer.press('Enter')
    await box.getByRole('textbox', { name: 'Price' }).and(page.locator('[aria-invalid=true]')).waitFor()
    await box.getByRole('textbox', { name: 'Price' }).fill('4.5')
    await box.getByLabel('Channel').selectOption('print')
    await box.getByRole('textbox', { name: 'Comment' }).fill('Well written.')
    await answer.press('Enter')
    await stateOf(page).getByText('Completed').waitFor()
    await box.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Result' }).click()
    const result = page.getByRole('tabpanel', { name: 'Result' })
    await result.getByText('4.5').waitFor()
    await result.getByText('Well written.').waitFor()
    // The answer that is no number is refused by the server.
    expect(complaints.filter((line) => !line.includes('400'))).toEqual([])
  })

  test('for an event names it and its key, and for a time its end', async () => {
    const event = await start([
      { id: 'order', type: 'wait_for_event', event: 'order.paid', correlation_key: '{{content}}' },
    ])
    await using visit = await tutti.visit({ path: `/executions/${event.id}` })
    const { page } = visit
    const box = page.getByRole('region', { name: 'Waiting' })
    await box.getByText('Waiting for the event “order.paid”').waitFor()
    await box.getByText('A text.').waitFor()
    const timer = await start([{ id: 'rest', type: 'wait', duration: '3d' }])
    await page.goto(`/executions/${timer.id}`)
    await box.getByText(/^Waiting until \d+ \w+ \d{4}, \d{2}:\d{2}$/).waitFor()
  })
})

test('the items of a loop: failed ones first, and each with its own steps', async () => {
  const { id } = await start(
    [
      {
        id: 'each',
        label: 'Each shop',
        type: 'for_each',
        items: 'shops',
        on_item_error: 'collect',
        steps: [
          fetchFrom(`${serviceUrl}/{{item}}`),
          {
            id: 'note',
            type: 'data_transform',
            transformations: [{ operation: 'merge', sources: ['item'] }],
            dependencies: ['fetch'],
          },
        ],
      },
    ],
    { context: { shops: ['fine-1', 'fine-2', 'broken-3', 'fine-4'] } },
  )
  await using visit = await tutti.visit({ path: `/executions/${id}?tab=timeline` })
  const { page, complaints } = visit
  await stateOf(page).getByText('Completed').waitFor()
  await timeline(page).getByText('4 of 4, 1 failed').waitFor()
  await page.getByRole('button', { name: /^Open items/ }).press('Enter')
  await page.waitForURL(/in=each/)
  const rows = page.getByRole('table', { name: 'Items' }).getByRole('row')
  await rows.nth(1).getByText('Item 3').waitFor()
  await rows.nth(1).getByText('broken-3').waitFor()
  await rows.nth(1).getByRole('button').first().click()
  await page.waitForURL(/in=each%2F2/)
  const way = page.getByRole('navigation', { name: 'Open part' })
  await way.getByText('Item 3').waitFor()
  await timeline(page)
    .getByRole('button', { name: /^Fetch prices/ })
    .click()
  const panel = page.getByRole('complementary', { name: 'Fetch prices' })
  await panel.getByRole('region', { name: 'Error' }).getByText('503').first().waitFor()
  const edit = panel.getByRole('link', { name: 'Edit this step' })
  expect(await edit.getAttribute('href')).toMatch(/\/edit\?step=fetch&/)
  expect(await findViolations(page)).toEqual([])
  await way.getByRole('button', { name: 'Each shop' }).click()
  await rows.nth(1).getByText('Item 3').waitFor()
  await way.getByRole('button', { name: 'All steps' }).click()
  await timeline(page).getByText('Each shop').waitFor()
  expect(complaints).toEqual([])
})

test('an account without the permission to decide or edit sees who may, and no buttons', async () => {
  const { flow, label } = await start([merge('one')], { approval_required: true })
  const ada = await addPerson(tutti.platform, 'ada', ['author'])
  const { execution_id: id } = await administer<{ execution_id: string }>(
    { ...tutti.platform, admin: ada },
    'POST',
    '/ai-workflows/api/execute-flow-async',
    { flow_id: flow, context: { content: 'A text.' } },
  )
  await using visit = await visitAs(tutti, ada, `/executions/${id}`)
  const { page } = visit
  const box = page.getByRole('region', { name: 'Approval' })
  await box.getByText('Accounts with the permission “manage workflows” can approve it.').waitFor()
  expect(await page.getByRole('button', { name: `Approve ${label}` }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Edit this step' }).count()).toBe(0)
})
