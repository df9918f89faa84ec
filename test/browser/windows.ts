import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { patience } from '../support/patience.ts'

/** A browser window without stored state, at the origin of the console. */
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

/** Longer than any operation here, shorter than the timeout of a test. */
const operationTimeoutMs = 30_000 * patience

/** Of the console's origin, so that the browser keeps its renderer process with the compiled scripts; an image runs no script. */
const restingPlace = '/favicon.svg'

const clearStorage = 'localStorage.clear(); sessionStorage.clear()'

/**
 * Windows for reuse. One in which the console was open before has its scripts loaded and compiled; a new one loads
 * them all, which takes longer than the rest of a visit.
 */
export function createWindows(browser: Pick<Browser, 'newContext'>, baseURL: string): Windows {
  const idle: Window[] = []

  async function openNew(options: BrowserContextOptions): Promise<Window> {
    const context = await browser.newContext({ baseURL, locale: 'en-GB', timezoneId: 'UTC', ...options })
    context.setDefaultTimeout(operationTimeoutMs)
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
        // Animations are disabled unless a test enables them.
        reducedMotion = 'reduce',
        ...others
      } = options
      // Other options apply to the whole lifetime of a window.
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

/** Resets the state of a window. */
async function forget({ context, page }: Window): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const other of context.pages()) if (other !== page) await other.close()
  // Framed pages of other origins store something, too; frames without storage access are skipped.
  for (const frame of page.frames()) await frame.evaluate(clearStorage).catch(() => undefined)
  await page.goto(restingPlace)
  await page.evaluate(clearStorage)
  await context.clearCookies()
}
