import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import {
  closeByEscape,
  pressTogether,
  readClipboard,
  readFocusedText,
  readGroundColour,
  untilShown,
  waitForIdle,
} from './in-page.ts'

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
    expect(await page.getByRole('link', { name: 'Usage', exact: true }).getAttribute('aria-current')).toBe(
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
    await help.waitFor()
    await waitForIdle(page)
    await help.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space')
    await closeByEscape(help)
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
    await page.getByPlaceholder('Search or jump to…').fill('even')
    await page.keyboard.press('Enter')
    await waitForPage(page, 'Events')
    await page.getByPlaceholder('Search or jump to…').waitFor({ state: 'detached' })
    await expect.poll(() => readFocusedText(page)).toBe('Events')
  })

  test('returns the focus when the palette or the shortcut help closes', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await page.getByRole('link', { name: 'Usage', exact: true }).focus()
    await page.keyboard.press('Control+k')
    await closeByEscape(page.getByPlaceholder('Search or jump to…'))
    await expect.poll(() => readFocusedText(page)).toBe('Usage')
    await page.keyboard.press('?')
    await closeByEscape(page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
    await expect.poll(() => readFocusedText(page)).toBe('Usage')
  })

  test('runs actions from the palette: copies the last request id', async () => {
    await using visit = await tutti.visit({ path: '/', permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await page.getByRole('button', { name: 'Search or jump to…' }).click()
    const copy = page.getByRole('button', { name: 'Copy the last request ID' })
    await untilShown(page, 'Request ID copied', () => copy.click())
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
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await waitForPage(page, 'Usage')
  })

  test('has twelve entries that fit without scrolling, and the current one is visible in a low window', async () => {
    await using visit = await tutti.visit({ path: '/', viewport: { width: 1280, height: 768 } })
    const { page } = visit
    await waitForPage(page, 'Overview')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: 'Settings', exact: true }).waitFor()
    expect((await navigation.getByRole('link').allInnerTexts()).join(', ')).toBe(
      'Overview, Workflows, Agents, Playground, Tours, Executions, Schedules, Usage, Models, Integrations, Health, Settings, API reference',
    )
    const hidden = () => navigation.evaluate((list) => list.scrollHeight - list.clientHeight)
    expect(await hidden()).toBe(0)
    await page.setViewportSize({ width: 1280, height: 420 })
    await expect.poll(hidden).toBeGreaterThan(0)
    await page.goto('/audit')
    await waitForPage(page, 'Audit log')
    const current = navigation.locator('[aria-current=page]')
    expect(await current.innerText()).toBe('Settings')
    await expect
      .poll(async () => {
        const box = await current.boundingBox()
        return (box?.y ?? 420) + (box?.height ?? 0)
      })
      .toBeLessThanOrEqual(420)
  })

  test('shows the pages of an entry as tabs, and keeps the entry current below a page', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    const entry = (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
    await entry('Health').click()
    await waitForPage(page, 'Health')
    const tabs = page.getByRole('navigation', { name: 'Health' }).getByRole('link')
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['Services', 'Events', 'Interface usage'])
    await tabs.filter({ hasText: 'Events' }).press('Enter')
    await waitForPage(page, 'Events')
    await expect.poll(() => entry('Health').getAttribute('aria-current')).toBe('page')
    await expect.poll(() => tabs.filter({ hasText: 'Events' }).getAttribute('aria-current')).toBe('page')
    await expect.poll(() => tabs.filter({ hasText: 'Services' }).getAttribute('aria-current')).toBe(null)
    await page.goto('/workflows/content_quality_review')
    await waitForPage(page, 'Content quality review')
    expect(await entry('Workflows').getAttribute('aria-current')).toBe('page')
    expect(await entry('Overview').getAttribute('aria-current')).toBe(null)
  })

  test.each([
    ['/flows?which=built_in', '/workflows?which=built_in', 'Workflows'],
    ['/flows/text_insights?tab=steps', '/workflows/text_insights?tab=steps', 'Text insights'],
    ['/new-flow?view=list', '/workflows/new?view=list', 'New workflow'],
    ['/flows/text_insights/edit', '/workflows/new?from=text_insights', 'Text insights'],
    ['/live?kind=workflow_failed', '/executions?view=live&kind=workflow_failed', 'Executions'],
    ['/workflows?tab=advice&asked=true&language=de', '/agents/recommend?asked=true&language=de', 'Recommend'],
    ['/workflows?run=text_insights', '/workflows/text_insights?run=true', 'Text insights'],
  ])('redirects the former address %s', async (before, after, title) => {
    await using visit = await tutti.visit({ path: before })
    const { page } = visit
    await page.waitForURL(`**${after}`)
    await waitForPage(page, title)
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
