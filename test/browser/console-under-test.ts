import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core'
import { ensureConsoleBuilt } from '../../scripts/build-console.ts'
import { ensurePlayerBuilt } from '../../scripts/build-player.ts'
import { openBrowser } from '../support/browser.ts'
import { type OpenPlatform, type OpenPlatformOptions, openPlatform } from '../support/platform.ts'
import { createWindows, type WindowOptions } from './windows.ts'

interface VisitOptions extends WindowOptions {
  readonly path?: string
  /** False opens the console without a session. */
  readonly signedIn?: boolean
  /** True signs in a user without any seen tour; otherwise the welcome tour was declined before. */
  readonly tours?: boolean
}

/** Stores in the browser that the welcome tour was declined. */
const declineTours = `
  localStorage.setItem('tutti-tours', JSON.stringify({ welcome: { state: 'dismissed', at: '2026-01-01T00:00:00.000Z' } }))
`

/** One person's browser window, closed with its scope. */
interface Visit extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** Every console error, refused style or script, and uncaught exception so far. */
  readonly complaints: readonly string[]
}

export interface ConsoleUnderTest extends AsyncDisposable {
  readonly platform: OpenPlatform
  visit(options?: VisitOptions): Promise<Visit>
}

/** A platform that serves the console, and a browser to open it in. */
export async function openConsole(
  environment: Readonly<Record<string, string>> = {},
  options: OpenPlatformOptions = {},
): Promise<ConsoleUnderTest> {
  await Promise.all([
    ensureConsoleBuilt({ log: () => undefined }),
    ensurePlayerBuilt({ log: () => undefined }),
  ])
  return await openConsoleOf(await openPlatform(environment, options))
}

/** A browser to open the console of this platform in; both close together. */
export async function openConsoleOf<Platform extends OpenPlatform>(
  platform: Platform,
): Promise<ConsoleUnderTest & { readonly platform: Platform }> {
  await using opening = new AsyncDisposableStack()
  opening.use(platform)
  const browser = opening.use(await openBrowser())
  const signedInState = await signInOnce()
  const windows = createWindows(browser, platform.url)
  const opened = opening.move()

  async function signInOnce() {
    await using context = await browser.newContext({ baseURL: platform.url })
    await signInByRequest(context, platform.admin)
    return await context.storageState()
  }

  return {
    platform,
    async visit({ path, signedIn = true, tours = false, ...options } = {}) {
      const window = await windows.open(options)
      const { page, context } = window
      if (signedIn) await context.addCookies(signedInState.cookies)
      if (!tours) await page.evaluate(declineTours)
      const complaints: string[] = []
      const hearConsole = (message: ConsoleMessage) => {
        if (message.type() === 'error') complaints.push(message.text())
      }
      const hearCrash = (error: Error) => complaints.push(error.message)
      page.on('console', hearConsole).on('pageerror', hearCrash)
      if (path !== undefined) await page.goto(path)
      return {
        page,
        context,
        complaints,
        async [Symbol.asyncDispose]() {
          await window[Symbol.asyncDispose]()
          page.off('console', hearConsole).off('pageerror', hearCrash)
        },
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Signs a browser in without the form, for tests that do not test the sign-in. */
export async function signInByRequest(
  { request }: BrowserContext,
  account: OpenPlatform['admin'],
): Promise<void> {
  const { username, password } = account
  const answer = await request.post('/user/login', { data: { username, password } })
  if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}: ${await answer.text()}`)
}

/** Fills in the sign-in form that is open. */
export async function signIn(page: Page, { admin }: OpenPlatform): Promise<void> {
  await page.locator('input[name=username]').fill(admin.username)
  await page.locator('input[name=password]').fill(admin.password)
  await page.locator('button[type=submit]').click()
}

/** Waits until a page of the console has loaded, including its data. */
export async function waitForPage(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.locator('main:not(:has([aria-busy=true]))').waitFor()
}
