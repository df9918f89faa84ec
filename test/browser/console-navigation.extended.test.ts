import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { readClipboard, readGroundColour, untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

describe('navigation in the console', () => {
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
    await expect.poll(() => current.innerText()).toBe('Settings')
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
    await expect.poll(() => entry('Workflows').getAttribute('aria-current')).toBe('page')
    await expect.poll(() => entry('Overview').getAttribute('aria-current')).toBe(null)
  })

  test('redirects the former address of the editor of a built-in workflow to its copy', async () => {
    await using visit = await tutti.visit({ path: '/flows/text_insights/edit' })
    const { page } = visit
    await page.waitForURL('**/workflows/new?from=text_insights')
    await waitForPage(page, 'Text insights')
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
