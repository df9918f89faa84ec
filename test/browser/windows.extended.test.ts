import { expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { openSite } from '../support/site.ts'
import { createWindows } from './windows.ts'

test('a reused window has no state of its earlier use, unless it is exclusive', async () => {
  await using site = await openSite({
    platformUrl: 'http://127.0.0.1:9',
    page: (path) => ({ title: path, body: `<h1>${path}</h1>`, tag: null }),
  })
  await using browser = await openBrowser()
  const windows = createWindows(browser, site.url)

  const first = await windows.open({ colorScheme: 'dark', viewport: { width: 360, height: 740 } })
  await first.page.goto('/one')
  await first.page.evaluate("localStorage.kept = 'x'; sessionStorage.kept = 'x'; document.cookie = 'kept=x'")
  await first.page.route('**/two', (route) => route.fulfill({ body: 'not the page' }))
  await first.context.route('**/two', (route) => route.fulfill({ body: 'not the page' }))
  await first.context.newPage()
  await first[Symbol.asyncDispose]()

  await using second = await windows.open({})
  const { page, context } = second
  expect(page).toBe(first.page)
  expect(context.pages()).toEqual([page])
  await page.goto('/two')
  expect(await page.locator('h1').innerText()).toBe('/two')
  expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([
    0,
    0,
    '',
  ])
  expect(await page.evaluate('matchMedia("(prefers-color-scheme: light)").matches')).toBe(true)
  expect(page.viewportSize()).toEqual({ width: 1280, height: 720 })

  const own = await windows.open({ own: true })
  await own[Symbol.asyncDispose]()
  await using third = await windows.open({})
  expect([own.page, page]).not.toContain(third.page)
})

test('a window whose site is gone is not reused', async () => {
  await using browser = await openBrowser()
  const site = await openSite({
    platformUrl: 'http://127.0.0.1:9',
    page: () => ({ title: '', body: '', tag: null }),
  })
  const window = await createWindows(browser, site.url).open({})
  await site[Symbol.asyncDispose]()
  await window[Symbol.asyncDispose]()
  expect(browser.contexts()).toEqual([])
})
