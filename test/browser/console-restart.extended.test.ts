import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { type OpenPlatform, startPlatform } from '../support/platform.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { administer } from './administer.ts'
import { openConsoleOf, waitForPage } from './console-under-test.ts'

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
test('pages reconnect when the platform restarts, and lose nothing', async () => {
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
  const timeout = 40_000
  await overview.page.getByText('Not responding').waitFor({ state: 'detached', timeout })
  await untilLive(events.page, timeout)
  await expect.poll(() => rows(live.page, /^Completed/).count(), { timeout }).toBe(2)
  expect(await rows(live.page, /^Started/).count()).toBe(2)
  expect(await rows(live.page, 'Stream reset').count()).toBe(0)
}, 180_000)
