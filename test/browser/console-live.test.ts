import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenPlatform, startPlatform } from '../support/platform.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, openConsoleOf, waitForPage } from './console-under-test.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
}, 60_000)
afterAll(() => tutti[Symbol.asyncDispose]())

const run = (platform: OpenPlatform = tutti.platform) =>
  administer(platform, 'POST', '/ai-workflows/api/execute-flow', {
    flow_id: 'content_quality_review',
    context: { content: 'The sea is calm tonight. The tide is full, the moon lies fair upon the straits.' },
  })

const rows = (page: Page, text: string | RegExp) =>
  page.getByRole('table', { name: 'What happens' }).getByRole('row').filter({ hasText: text })

const isLive = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor()

async function openLive(path = '/live') {
  const visit = await tutti.visit({ path })
  await waitForPage(visit.page, 'Live')
  await isLive(visit.page)
  return visit
}

describe('live', { timeout: 60_000 }, () => {
  test('a workflow that runs appears with its start and its end, and can be looked at', async () => {
    await using visit = await openLive()
    const { page, complaints } = visit
    await page.getByText('Nothing has happened since you came.').waitFor()
    await run()
    await rows(page, /^Started/).waitFor()
    const ended = rows(page, /^Completed/)
    await ended.waitFor()
    expect(await ended.innerText()).toContain('content_quality_review')

    await ended.getByRole('button').press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Completed: content_quality_review' })
    await drawer.getByRole('region', { name: 'event data' }).getByText('"execution_id"').waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await ended.locator('button:focus').waitFor()
    expect(complaints).toEqual([])
  })

  test('one kind can be shown alone, and the address keeps it', async () => {
    await using visit = await openLive()
    const { page } = visit
    await run()
    await rows(page, /^Completed/).waitFor()
    await page.getByLabel('Kind of event').selectOption('Completed')
    await page.waitForURL('**/live?kind=workflow_completed')
    await page.getByText('1 event', { exact: true }).waitFor()
    expect(await rows(page, /^Started/).count()).toBe(0)
    await page.getByLabel('Kind of event').selectOption('Failed')
    await page.getByText('Nothing of this kind has happened since you came.').waitFor()
    await page.getByRole('button', { name: 'Show everything' }).click()
    await rows(page, /^Started/).waitFor()
  })

  test('a kind that there is not shows everything', async () => {
    await using visit = await openLive('/live?kind=constructor')
    const { page } = visit
    expect(await page.getByLabel('Kind of event').inputValue()).toBe('')
    await run()
    await rows(page, /^Started/).waitFor()
  })

  test('paused, it stands still and counts what it will show', async () => {
    await using visit = await openLive()
    const { page } = visit
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('status').getByText('Paused', { exact: true }).waitFor()
    await run()
    const resume = page.getByRole('button', { name: /^Resume: [2-9] new$/ })
    await resume.waitFor()
    await page.getByText('Nothing has happened since you came.').waitFor()
    await resume.click()
    await rows(page, /^Completed/).waitFor()
    await isLive(page)
  })

  test('a platform that was away and comes back has lost nothing', async () => {
    await using database = await createTestDatabase()
    await using before = await openConsoleOf(await startPlatform({ DATABASE_URL: database.url }))
    await using visit = await before.visit({ path: '/live' })
    const { page } = visit
    await isLive(page)
    await run(before.platform)
    await rows(page, /^Completed/).waitFor()
    await before.platform.process.kill()
    await page.getByText('Reconnecting').waitFor()
    const { port } = new URL(before.platform.url)
    await using restarted = await startPlatform({ DATABASE_URL: database.url, PORT: port })
    await run(restarted)
    // The longer a platform is away, the longer the stream pauses between two attempts: up to 15 s.
    await expect.poll(() => rows(page, /^Completed/).count(), { timeout: 40_000 }).toBe(2)
    expect(await rows(page, /^Started/).count()).toBe(2)
    expect(await rows(page, 'Began anew').count()).toBe(0)
  }, 120_000)
})
