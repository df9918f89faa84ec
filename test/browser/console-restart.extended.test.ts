import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { patience } from '../support/patience.ts'
import { type OpenPlatform, startPlatform } from '../support/platform.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { administer } from './administer.ts'
import { openConsoleOf, waitForPage } from './console-under-test.ts'
import { click, entry, press, runFromItsPage } from './run-jobs.ts'
import { merge, stateOf } from './runs-under-test.ts'

const untilLive = (page: Page, timeout?: number) =>
  page
    .getByRole('status')
    .getByText('Live', { exact: true })
    .waitFor(timeout === undefined ? {} : { timeout })

const rows = (page: Page, text: string | RegExp) =>
  page.getByRole('table', { name: 'Events' }).getByRole('row').filter({ hasText: text })

const run = (platform: OpenPlatform) =>
  administer(platform, 'POST', '/ai-workflows/api/execute-flow', {
    flow_id: 'content_quality_review',
    context: { content: 'The sea is calm tonight. The tide is full, the moon lies fair upon the straits.' },
  })

// One platform for all pages, because starting and killing one takes longer than the checks.
test('pages reconnect when the platform restarts, and lose nothing', {
  timeout: 180_000 * patience,
}, async () => {
  await using database = await createTestDatabase()
  const environment = { DATABASE_URL: database.url, PORT: String(await findFreePort()) }
  await using before = await openConsoleOf(await startPlatform(environment))
  await using overview = await before.visit({ path: '/?tab=system' })
  await using events = await before.visit({ path: '/events' })
  await using live = await before.visit({ path: '/executions?view=live' })
  await waitForPage(overview.page, 'Overview')
  await untilLive(events.page)
  await untilLive(live.page)
  await run(before.platform)
  await rows(live.page, /^Completed/).waitFor()

  await before.platform.process.kill()
  await overview.page.getByText('Not responding').waitFor()
  await events.page.getByText('Reconnecting').waitFor()
  await live.page.getByText('Reconnecting').waitFor()

  await using restarted = await startPlatform(environment)
  expect(restarted.url).toBe(before.platform.url)
  await run(restarted)
  // The longer a platform is away, the longer the stream pauses between two attempts: up to 15 s.
  const timeout = 40_000 * patience
  await overview.page.getByText('Not responding').waitFor({ state: 'detached', timeout })
  await untilLive(events.page, timeout)
  await expect.poll(() => rows(live.page, /^Completed/).count(), { timeout }).toBe(2)
  expect(await rows(live.page, /^Started/).count()).toBe(2)
  expect(await rows(live.page, 'Stream reset').count()).toBe(0)
})

/** Long enough that the platform is stopped meanwhile. */
const rest = { id: 'rest', label: 'Rest', type: 'wait', duration: '45s' }

// One restart for both ways, because it takes long.
test('the platform stops and restarts under open tabs, which all go on', {
  timeout: 300_000 * patience,
}, async () => {
  await using database = await createTestDatabase()
  const environment = { DATABASE_URL: database.url, PORT: String(await findFreePort()) }
  await using tutti = await openConsoleOf(await startPlatform(environment))
  const waiting = { flow: 'resting', label: 'Resting' }
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: {
      id: waiting.flow,
      label: waiting.label,
      steps: [rest, merge('join', { dependencies: ['rest'] })],
    },
  })
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
  const timeout = 60_000 * patience
  await byMouse.page.getByRole('textbox', { name: 'Message' }).waitFor({ timeout })
  await byKeyboard.page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor({ timeout })
  await stateOf(onRun.page).getByText('Completed').waitFor({ timeout })
  await panel.getByText('Tutti does not respond.').waitFor({ state: 'detached', timeout })
  await panel.getByText('Completed').first().waitFor({ timeout })
  for (const { page } of [byMouse, byKeyboard, onRun, onTry])
    expect(await page.getByText('This page stopped working').count()).toBe(0)
})
