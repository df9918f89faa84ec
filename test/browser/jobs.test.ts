import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { startPlatform, type TestPlatform } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsoleOf, waitForPage } from './console-under-test.ts'
import { pressAt, untilShown } from './in-page.ts'

/** Whole jobs of a user, each by mouse and by keyboard only. */

let service: Server
let serviceUrl: string
let database: TestDatabase
let tutti: ConsoleUnderTest & { readonly platform: TestPlatform }
let environment: Record<string, string>

beforeAll(async () => {
  service = createServer(({ url = '' }, response) => {
    const works = !url.startsWith('/broken')
    response.writeHead(works ? 200 : 503, { 'content-type': 'application/json' })
    response.end(works ? '{"price": 42}' : '{"error": "closed for repairs"}')
  })
  await new Promise<void>((resolve) => {
    service.listen(0, '127.0.0.1', resolve)
  })
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  database = await createTestDatabase()
  environment = {
    DATABASE_URL: database.url,
    PORT: String(await findFreePort()),
    TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
  }
  tutti = await openConsoleOf(await startPlatform(environment))
}, 180_000)
afterAll(async () => {
  await tutti?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
  service?.close()
})

let saved = 0

async function save(steps: readonly object[], metadata: object = {}) {
  saved += 1
  const flow = `job_${saved}`
  const label = `Job ${saved}`
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: { id: flow, label, steps },
    metadata,
  })
  return { flow, label }
}

const fetchPrices = (path: string) => ({
  id: 'fetch',
  label: 'Fetch prices',
  type: 'external_api',
  api: { url: `${serviceUrl}${path}`, method: 'GET', retry_attempts: 0 },
  retry_config: { max_attempts: 1 },
  output_to_memory: 'prices',
})

const merge = (sources: readonly string[], more: object = {}) => ({
  id: 'join',
  type: 'data_transform',
  transformations: [{ operation: 'merge', sources }],
  ...more,
})

const click = (target: Locator) => target.click()
const press = (target: Locator) => pressAt(target)
const ways = [
  ['mouse', click],
  ['keyboard', press],
] as const
type Act = (typeof ways)[number][1]

/** Counts the mouse events of a page, from its next document on. */
const countMouse = (page: Page) =>
  page.addInitScript(`
    window.mouseEvents = 0
    addEventListener('mousedown', () => { window.mouseEvents += 1 }, true)
  `)
const mouseEvents = (page: Page) => page.evaluate<number>('window.mouseEvents')

const stateOf = (page: Page) => page.locator('dl').first()
const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const stopped = (page: Page) => page.getByText('This page stopped working')

/** Runs a workflow from its page with the input that is filled in, and returns the ID of the execution. */
async function runFromItsPage(page: Page, flow: { flow: string; label: string }, act: Act): Promise<string> {
  await page.goto(`/workflows/${flow.flow}`)
  await waitForPage(page, flow.label)
  await act(page.getByRole('button', { name: 'Run', exact: true }))
  await act(page.getByRole('dialog', { name: `Run ${flow.label}` }).getByRole('button', { name: 'Run' }))
  await page.waitForURL(/\/executions\/[0-9a-f-]{36}/)
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

describe.each(ways)('by %s', (way, act) => {
  test('a run fails, its cause is found and edited, and it runs again with the new version', async () => {
    const flow = await save([
      fetchPrices('/broken'),
      merge(['prices', 'content'], { dependencies: ['fetch'] }),
    ])
    await using visit = await tutti.visit({ own: true })
    const { page, complaints } = visit
    await countMouse(page)
    const failed = await runFromItsPage(page, flow, act)

    const failure = page.getByRole('region', { name: 'Failure' })
    await failure.getByText('Failed at “Fetch prices”').waitFor()
    await failure.getByText('closed for repairs').waitFor()
    await act(failure.getByRole('link', { name: 'Edit this step' }))

    // The editor opens at the step.
    const url = page.getByRole('textbox', { name: 'URL', exact: true })
    await url.getByText(`${serviceUrl}/broken`).waitFor()
    await url.fill(`${serviceUrl}/fine`)
    await page.getByText('No problems', { exact: true }).first().waitFor()
    await act(page.getByRole('button', { name: 'Save', exact: true }))
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Save' })
    await untilShown(page, 'Saved as version 2', () => act(confirm))

    await act(entry(page, 'Executions'))
    await waitForPage(page, 'Executions')
    await act(page.locator(`main a[href*="${failed}"]`).first())
    await act(failure.getByRole('button', { name: 'Run again…' }))
    const again = page.getByRole('dialog', { name: 'Run again' })
    expect(await again.getByRole('radio', { name: 'Latest version (2)' }).isChecked()).toBe(true)
    await act(again.getByRole('button', { name: 'Run', exact: true }))
    await page.waitForURL(({ pathname }) => pathname.startsWith('/executions/') && !pathname.includes(failed))
    await stateOf(page).getByText('Completed').waitFor()
    await page.getByText('Version 2 of').waitFor()
    await act(page.getByRole('tab', { name: 'Result' }))
    await page.getByRole('tabpanel', { name: 'Result' }).getByText('42').first().waitFor()
    if (way === 'keyboard') expect(await mouseEvents(page)).toBe(0)
    else expect(await mouseEvents(page)).toBeGreaterThan(0)
    expect(complaints).toEqual([])
  }, 180_000)

  test('a run that needs approval is approved on its own page', async () => {
    const flow = await save([merge(['content'])], { approval_required: true })
    await using visit = await tutti.visit({ own: true })
    const { page, complaints } = visit
    await countMouse(page)
    await runFromItsPage(page, flow, act)
    const box = page.getByRole('region', { name: 'Approval' })
    await box.getByText('Tutti means all together.').first().waitFor()
    await box.getByRole('textbox', { name: `Note about ${flow.label}` }).fill('Fine.')
    await act(box.getByRole('button', { name: `Approve ${flow.label}` }))
    await stateOf(page).getByText('Completed').waitFor()
    await box.waitFor({ state: 'detached' })
    await act(page.getByRole('tab', { name: 'Result' }))
    await page
      .getByRole('tabpanel', { name: 'Result' })
      .getByText('Tutti means all together.')
      .first()
      .waitFor()
    if (way === 'keyboard') expect(await mouseEvents(page)).toBe(0)
    expect(complaints).toEqual([])
  })

  test('an upgrade under an open tab offers a reload', async () => {
    await using visit = await tutti.visit({ path: '/usage', own: true })
    const { page } = visit
    await waitForPage(page, 'Usage')
    // The files of the older build are gone, and the document has another entry script.
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404, body: 'not found' }))
    await page.route(
      ({ pathname }) => pathname === '/',
      (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: '<script type="module" src="/assets/index-new.js">',
        }),
    )
    await act(entry(page, 'Schedules'))
    await waitForPage(page, 'This page needs a newer version of the console')
    await page.getByText('Tutti was upgraded. Reload to use the new version.').waitFor()
    expect(await stopped(page).count()).toBe(0)
    await page.unrouteAll()
    await act(page.locator('main').getByRole('button', { name: 'Reload' }))
    await waitForPage(page, 'Schedules')
  })
})

test('failed runs are selected and recovered together with the latest version', async () => {
  const { flow, label } = await save([fetchPrices('/broken')])
  const api = '/ai-workflows/api'
  for (let run = 0; run < 2; run += 1)
    await administer(tutti.platform, 'POST', `${api}/execute-flow-async`, { flow_id: flow, context: {} })
  await using visit = await tutti.visit({ path: `/executions?flow=${flow}`, own: true })
  const { page } = visit
  const state = page.getByRole('group', { name: 'State' })
  await state.getByRole('button', { name: 'Failed 2' }).waitFor()
  await administer(tutti.platform, 'PUT', `${api}/flows/${flow}`, {
    flow_definition: { id: flow, label, steps: [fetchPrices('/fine')] },
  })
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
  await page
    .getByRole('group', { name: 'Selected executions' })
    .getByRole('button', { name: 'Recover 2' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Recover 2 executions' })
  await dialog.getByLabel('Version').selectOption('The latest version')
  await dialog.getByRole('button', { name: 'Recover' }).click()
  await state.getByRole('button', { name: 'Completed 2' }).waitFor()
})

/** Long enough that the platform is stopped meanwhile. */
const rest = { id: 'rest', label: 'Rest', type: 'wait', duration: '45s' }

// Last, because it stops the platform of the other jobs. One restart for both ways, because it takes long.
test('the platform stops and restarts under open tabs, which all go on', async () => {
  const waiting = await save([rest, merge(['content'], { dependencies: ['rest'] })])
  await using byMouse = await tutti.visit({ path: '/', own: true })
  await using byKeyboard = await tutti.visit({ path: '/', own: true })
  await using onRun = await tutti.visit({ own: true })
  await using onTry = await tutti.visit({ path: `/workflows/${waiting.flow}/edit?view=list`, own: true })
  await waitForPage(byMouse.page, 'Overview')
  await waitForPage(byKeyboard.page, 'Overview')

  const panel = onTry.page.getByRole('region', { name: 'Test run' })
  await press(onTry.page.getByRole('button', { name: 'Test run' }))
  await press(panel.getByRole('button', { name: 'Run', exact: true }))
  await panel.getByRole('list', { name: 'Executed steps' }).getByText('Waiting').waitFor()
  await runFromItsPage(onRun.page, waiting, press)
  await stateOf(onRun.page).getByText('Waiting').waitFor()

  await tutti.platform.process.kill()
  await click(entry(byMouse.page, 'Playground'))
  await press(entry(byKeyboard.page, 'Schedules'))
  for (const { page } of [byMouse, byKeyboard])
    await page.getByText('Tutti does not respond. The page opens as soon as it does.').waitFor()
  await panel
    .getByRole('status')
    .getByText('Tutti does not respond. The test run continues on the server')
    .waitFor()
  await expect
    .poll(() => panel.getByRole('button', { name: 'Stop' }).getAttribute('aria-disabled'))
    .toBe('true')

  await using restarted = await startPlatform(environment)
  expect(restarted.url).toBe(tutti.platform.url)
  // The longer a platform is away, the longer the pause between two attempts: up to 15 s.
  const timeout = 60_000
  await byMouse.page.getByRole('textbox', { name: 'Message' }).waitFor({ timeout })
  await byKeyboard.page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor({ timeout })
  await stateOf(onRun.page).getByText('Completed').waitFor({ timeout })
  await panel.getByText('Tutti does not respond.').waitFor({ state: 'detached', timeout })
  await panel.getByText('Completed').first().waitFor({ timeout })
  for (const { page } of [byMouse, byKeyboard, onRun, onTry]) expect(await stopped(page).count()).toBe(0)
}, 300_000)
