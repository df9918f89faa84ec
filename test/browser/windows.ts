import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** A browser window in which nothing is remembered, at the origin of the console. */
interface Window {
  readonly context: BrowserContext
  readonly page: Page
}

export interface WindowOptions extends BrowserContextOptions {
  /**
   * True opens a window that is never shared. For changes that cannot be undone, such as a clock or a script for every page,
   * and for tests that must not find cached responses of an earlier visit.
   */
  readonly own?: boolean
}

interface Windows {
  open(options: WindowOptions): Promise<Window & AsyncDisposable>
}

/** Longer than anything takes here, shorter than a test may take. */
const patienceMs = 30_000

/** Of the console's origin, so that the browser keeps the process that knows its scripts; and a picture does nothing. */
const restingPlace = '/favicon.svg'

const clearStorage = 'localStorage.clear(); sessionStorage.clear()'

/**
 * Windows that are used again. One in which the console was open before has its scripts, read and compiled; a new one fetches
 * them all, which takes longer than all else about a visit.
 */
export function createWindows(browser: Pick<Browser, 'newContext'>, baseURL: string): Windows {
  const idle: Window[] = []

  async function openNew(options: BrowserContextOptions): Promise<Window> {
    const context = await browser.newContext({ baseURL, locale: 'en-GB', timezoneId: 'UTC', ...options })
    context.setDefaultTimeout(patienceMs)
    const page = await context.newPage()
    await page.goto(restingPlace)
    return { context, page }
  }

  async function giveBack(window: Window): Promise<void> {
    try {
      await forget(window)
      idle.push(window)
    } catch {
      // Its platform is gone, or a test closed it.
      await window.context.close()
    }
  }

  return {
    async open({ own = false, ...options }) {
      const {
        viewport = { width: 1280, height: 720 },
        colorScheme = 'light',
        // Nothing fades or slides unless a test is about that and says so.
        reducedMotion = 'reduce',
        ...others
      } = options
      // What else can be asked for holds for as long as a window is there.
      const isOwn = own || viewport === null || Object.keys(others).length > 0
      const kept = isOwn ? undefined : idle.pop()
      const window = kept ?? (await openNew({ viewport, colorScheme, reducedMotion, ...others }))
      if (kept !== undefined && viewport !== null) {
        await kept.page.setViewportSize(viewport)
        await kept.page.emulateMedia({ colorScheme, reducedMotion })
      }
      return {
        ...window,
        [Symbol.asyncDispose]: () => (isOwn ? window.context.close() : giveBack(window)),
      }
    },
  }
}

/** Takes back what was done in a window. */
async function forget({ context, page }: Window): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const other of context.pages()) if (other !== page) await other.close()
  // Framed pages of others remember something, too; those that may not are not to be asked.
  for (const frame of page.frames()) await frame.evaluate(clearStorage).catch(() => undefined)
  await page.goto(restingPlace)
  await page.evaluate(clearStorage)
  await context.clearCookies()
}
