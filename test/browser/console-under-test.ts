import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { ensureConsoleBuilt } from '../../scripts/build-console.ts'
import { openBrowser } from '../support/browser.ts'
import { startPlatform, type TestPlatform } from '../support/platform.ts'

interface VisitOptions extends BrowserContextOptions {
  readonly path?: string
  /** False arrives as a stranger. */
  readonly signedIn?: boolean
}

/** Longer than anything takes here, shorter than a test may take. */
const patienceMs = 10_000

/** One person's browser window, closed with its scope. */
interface Visit extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** Every console error, refused style or script, and uncaught exception so far. */
  readonly complaints: readonly string[]
}

export interface ConsoleUnderTest extends AsyncDisposable {
  readonly platform: TestPlatform
  visit(options?: VisitOptions): Promise<Visit>
}

/** A platform that serves the console, and a browser to open it in. */
export async function openConsole(
  environment: Readonly<Record<string, string>> = {},
): Promise<ConsoleUnderTest> {
  await ensureConsoleBuilt({ log: () => undefined })
  await using opening = new AsyncDisposableStack()
  const platform = opening.use(await startPlatform(environment))
  const browser = opening.use(await openBrowser())
  const signedInState = await signInOnce()
  const opened = opening.move()

  async function signInOnce() {
    await using context = await browser.newContext({ baseURL: platform.url })
    const page = await context.newPage()
    await page.goto('/user/login')
    await signIn(page, platform)
    await page.waitForURL(`${platform.url}/`)
    return await context.storageState()
  }

  return {
    platform,
    async visit({ path, signedIn = true, ...options } = {}) {
      const context = await browser.newContext({
        baseURL: platform.url,
        locale: 'en-GB',
        timezoneId: 'UTC',
        ...(signedIn ? { storageState: signedInState } : {}),
        ...options,
      })
      context.setDefaultTimeout(patienceMs)
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      if (path !== undefined) await page.goto(path)
      return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Fills in the sign-in form that is open. */
export async function signIn(page: Page, { admin }: TestPlatform): Promise<void> {
  await page.locator('input[name=username]').fill(admin.username)
  await page.locator('input[name=password]').fill(admin.password)
  await page.locator('button[type=submit]').click()
}

/** Waits until a page of the console stands, data and all. */
export async function waitForPage(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.locator('main:not(:has([aria-busy=true]))').waitFor()
}
