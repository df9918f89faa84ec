import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { patience } from '../support/patience.ts'
import { startPlatform } from '../support/platform.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { type ConsoleUnderTest, openConsole, openConsoleOf, waitForPage } from './console-under-test.ts'

const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

/** Marks the document: a reload would lose the mark. */
const mark = (page: Page) => page.evaluate('window.loadedOnce = true')
const isMarked = (page: Page) => page.evaluate('window.loadedOnce === true')

/** The style sheets that are loaded, and those that failed. */
const readStyles = (page: Page) =>
  page.evaluate<{ loaded: number; failed: number }>(`
    (() => {
      const sheets = [...document.querySelectorAll('link[rel=stylesheet]')].map(({ sheet }) => sheet)
      return { loaded: sheets.filter(Boolean).length, failed: sheets.filter((sheet) => !sheet).length }
    })()
  `)

const banner = (page: Page) => page.getByRole('status').getByText('Tutti does not respond. Retrying…')
const stopped = (page: Page) => page.getByText('This page stopped working')

test('pages and drawers that were never loaded wait for a stopped platform, and open when it is back', {
  timeout: 180_000 * patience,
}, async () => {
  await using database = await createTestDatabase()
  const environment = { DATABASE_URL: database.url, PORT: String(await findFreePort()) }
  await using before = await openConsoleOf(await startPlatform(environment))
  await using onPage = await before.visit({ path: '/' })
  await using onDrawer = await before.visit({ path: '/api-keys' })
  await waitForPage(onPage.page, 'Overview')
  await waitForPage(onDrawer.page, 'API keys')
  for (const { page } of [onPage, onDrawer]) await mark(page)
  const { loaded } = await readStyles(onPage.page)

  await before.platform.process.kill()
  await entry(onPage.page, 'Playground').press('Enter')
  await onPage.page.getByText('Tutti does not respond. The page opens as soon as it does.').waitFor()
  await banner(onPage.page).waitFor()
  await onDrawer.page.getByRole('button', { name: 'Create API key' }).first().click()
  await banner(onDrawer.page).waitFor()

  await using restarted = await startPlatform(environment)
  expect(restarted.url).toBe(before.platform.url)
  // The longer a platform is away, the longer the pause between two attempts: up to 15 s.
  const timeout = 40_000 * patience
  await onPage.page.getByRole('textbox', { name: 'Message' }).waitFor({ timeout })
  await waitForPage(onPage.page, 'Playground')
  // A style sheet that is still loading counts as failed.
  await expect.poll(async () => (await readStyles(onPage.page)).failed).toBe(0)
  expect((await readStyles(onPage.page)).loaded).toBeGreaterThan(loaded)
  await onDrawer.page.getByRole('dialog', { name: 'Create API key' }).waitFor({ timeout })
  for (const { page } of [onPage, onDrawer]) {
    await banner(page).waitFor({ state: 'detached', timeout })
    expect(await stopped(page).count()).toBe(0)
    expect(await isMarked(page)).toBe(true)
  }
})

/** The files of an older build are gone. */
const removeFiles = (page: Page) =>
  page.route('**/assets/**', (route) => route.fulfill({ status: 404, body: 'not found' }))

/** The platform serves a document with another entry script. */
const upgrade = (page: Page) =>
  page.route(
    ({ pathname }) => pathname === '/',
    (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<script type="module" src="/assets/index-new.js">',
      }),
  )

describe('while the platform responds', () => {
  let tutti: ConsoleUnderTest
  beforeAll(async () => {
    tutti = await openConsole()
  })
  afterAll(() => tutti?.[Symbol.asyncDispose]())

  test('an upgrade offers a reload, which opens the page; the tab is never reloaded by itself', async () => {
    await using visit = await tutti.visit({ path: '/usage' })
    const { page } = visit
    await waitForPage(page, 'Usage')
    await mark(page)
    await removeFiles(page)
    await upgrade(page)
    await entry(page, 'Playground').press('Enter')
    await waitForPage(page, 'This page needs a newer version of the console')
    await page.getByText('Tutti was upgraded. Reload to use the new version.').waitFor()
    expect(await stopped(page).count()).toBe(0)
    expect(await isMarked(page)).toBe(true)
    await page.unrouteAll()
    await page.locator('main').getByRole('button', { name: 'Reload' }).click()
    await waitForPage(page, 'Playground')
    expect(await isMarked(page)).toBe(false)
  })

  test('a page whose file is blocked says so, and the other pages still open', async () => {
    await using visit = await tutti.visit({ path: '/usage' })
    const { page } = visit
    await waitForPage(page, 'Usage')
    await page.route('**/assets/PlaygroundPage-*.js', (route) => route.abort())
    await entry(page, 'Playground').press('Enter')
    await waitForPage(page, 'This page could not be loaded')
    await entry(page, 'Agents').press('Enter')
    await waitForPage(page, 'Agents')
  })

  test('a page opens although one of the files that it imports could not be loaded at first', async () => {
    await using visit = await tutti.visit({ path: '/usage' })
    const { page } = visit
    await waitForPage(page, 'Usage')
    await mark(page)
    let lost: string | undefined
    await page.route('**/assets/*.js', async (route) => {
      const address = route.request().url()
      if (lost !== undefined || address.includes('/PlaygroundPage-')) return await route.continue()
      lost = address
      return await route.abort()
    })
    await entry(page, 'Playground').press('Enter')
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    expect(lost).toBeDefined()
    expect(await isMarked(page)).toBe(true)
  })

  test('a drawer that cannot be loaded leaves its page as it is', async () => {
    await using visit = await tutti.visit({ path: '/api-keys' })
    const { page } = visit
    await waitForPage(page, 'API keys')
    await removeFiles(page)
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    await page.getByRole('status').getByText('A part of this page could not be loaded.').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('API keys')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
  })
})
