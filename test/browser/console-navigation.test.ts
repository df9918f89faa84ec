import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { closeByEscape, pressTogether, readFocusedText, waitForIdle } from './in-page.ts'

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
    await expect.poll(focused).toBe('Skip to content')
    for (let presses = 0; presses < 40 && (await focused()) !== 'Usage'; presses += 1)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await waitForPage(page, 'Usage')
    await expect.poll(focused).toBe('Usage')
    await expect.poll(() => page.title()).toBe('Usage · Tutti')
    const entry = page.getByRole('link', { name: 'Usage', exact: true })
    await expect.poll(() => entry.getAttribute('aria-current')).toBe('page')
  })

  test('opens pages by two keys, unless single-key shortcuts are disabled', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await pressTogether(page, ['g', 'p'], 'Profile')
    await waitForPage(page, 'Profile')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    await waitForIdle(page)
    await help.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space')
    await closeByEscape(help)
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search or jump to…').waitFor()
    expect(await help.count()).toBe(0)
  })

  test('opens a page from the palette with Ctrl+K, and returns the focus when the palette or the shortcut help closes', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await page.getByRole('link', { name: 'Usage', exact: true }).focus()
    const palette = page.getByPlaceholder('Search or jump to…')
    await page.keyboard.press('Control+k')
    await closeByEscape(palette)
    await expect.poll(() => readFocusedText(page)).toBe('Usage')
    await page.keyboard.press('?')
    await closeByEscape(page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
    await expect.poll(() => readFocusedText(page)).toBe('Usage')
    await page.keyboard.press('Control+k')
    await palette.fill('even')
    await page.keyboard.press('Enter')
    await waitForPage(page, 'Events')
    await palette.waitFor({ state: 'detached' })
    await expect.poll(() => readFocusedText(page)).toBe('Events')
  })
})
