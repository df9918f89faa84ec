import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { pressTogether, readClipboard, readFocusedText, readGroundColour } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

describe('navigation in the console', () => {
  test('opens pages by Tab and Enter, and announces them', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    const focused = () => readFocusedText(page)
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    for (let presses = 0; presses < 40 && (await focused()) !== 'Events'; presses += 1)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await waitForPage(page, 'Events')
    await expect.poll(focused).toBe('Events')
    expect(await page.title()).toBe('Events · Tutti')
    expect(await page.getByRole('link', { name: 'Events', exact: true }).getAttribute('aria-current')).toBe(
      'page',
    )
  })

  test('opens pages by two keys, unless single-key shortcuts are disabled', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await pressTogether(page, ['g', 'p'], 'Profile')
    await waitForPage(page, 'Profile')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search or jump to…').waitFor()
    expect(await help.count()).toBe(0)
  })

  test('opens the palette with Ctrl+K, finds a page by a few letters and opens it', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search or jump to…').waitFor()
    await page.keyboard.type('even')
    await page.keyboard.press('Enter')
    await waitForPage(page, 'Events')
    await page.getByPlaceholder('Search or jump to…').waitFor({ state: 'detached' })
    await expect.poll(() => readFocusedText(page)).toBe('Events')
  })

  test('returns the focus when the palette or the shortcut help closes', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await page.getByRole('link', { name: 'Events', exact: true }).focus()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search or jump to…').waitFor()
    await page.keyboard.press('Escape')
    await page.getByPlaceholder('Search or jump to…').waitFor({ state: 'detached' })
    await expect.poll(() => readFocusedText(page)).toBe('Events')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await expect.poll(() => readFocusedText(page)).toBe('Events')
  })

  test('runs actions from the palette: copies the last request id', async () => {
    await using visit = await tutti.visit({ path: '/', permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await page.getByRole('button', { name: 'Search or jump to…' }).click()
    await page.getByRole('button', { name: 'Copy the last request ID' }).click()
    await page.getByText('Request ID copied').waitFor()
    expect(await readClipboard(page)).toMatch(/^[\w-]{8,}$/)
  })

  test('remembers the colour scheme before the first paint of the next load', async () => {
    await using visit = await tutti.visit({ path: '/', colorScheme: 'light' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
    const ground = () => readGroundColour(page)
    expect(await scheme()).toBe('light')
    const lightGround = await ground()
    await page.getByRole('button', { name: 'Colour scheme: System' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect.poll(scheme).toBe('dark')
    // Without the script of the application the page stays in its initial state.
    await page.route('**/assets/index-*.js', (route) => route.abort())
    await page.reload()
    expect(await scheme()).toBe('dark')
    expect(await ground()).not.toBe(lightGround)
    await page.unroute('**/assets/index-*.js')
    await page.reload()
    await waitForPage(page, 'Overview')
    expect(await scheme()).toBe('dark')
    await page.getByRole('button', { name: 'Colour scheme: Dark' }).waitFor()
  })

  test('follows the system colour scheme by default', async () => {
    await using visit = await tutti.visit({ path: '/', colorScheme: 'dark' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    const scheme = (value: string) => page.locator(`html[data-mantine-color-scheme=${value}]`).waitFor()
    await scheme('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await scheme('light')
  })

  test('collapses the navigation to icons and remembers it', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    const width = async () => (await page.getByRole('navigation', { name: 'Main' }).boundingBox())?.width ?? 0
    const wide = await width()
    await page.getByRole('button', { name: 'Collapse navigation' }).click()
    await expect.poll(width).toBeLessThan(wide / 2)
    await page.reload()
    await waitForPage(page, 'Overview')
    expect(await width()).toBeLessThan(wide / 2)
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await waitForPage(page, 'Events')
  })

  test('opens a page by its URL, and reports an unknown one', async () => {
    await using visit = await tutti.visit({ path: '/profile' })
    const { page } = visit
    await waitForPage(page, 'Profile')
    await page.goto('/no/such/page')
    await waitForPage(page, 'Page not found')
    expect(await page.locator('main').innerText()).toContain('/no/such/page')
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await waitForPage(page, 'Overview')
  })

  test('links to the API reference', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await page.getByRole('link', { name: 'API reference', exact: true }).click()
    await page.waitForURL('**/docs')
    await page.getByRole('heading', { level: 1 }).waitFor()
  })
})
