import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { prepareBrowser } from '../../scripts/prepare-browser.ts'
import { patience } from './patience.ts'
import { quickFolder } from './quick-folder.ts'

/** A share of the worker's browser. Its contexts are closed with its scope: `await using browser = await openBrowser()`. */
export interface TestBrowser extends AsyncDisposable {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>
  /** The open contexts of this share. */
  contexts(): readonly BrowserContext[]
}

/** Files of a worker run one after the other and share its modules, so they share this too. */
let launched: Promise<Browser> | undefined

/**
 * Opens the browser of this process. It starts with the first call and stays for the next file, since starting one takes about as long
 * as a test. It ends with the worker; if the worker is killed, the browser ends with its pipe.
 */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await (launched ??= launchForAll())
  const contexts = new Set<BrowserContext>()
  return {
    async newContext(options) {
      const context = await browser.newContext(options)
      contexts.add(context)
      context.once('close', () => contexts.delete(context))
      return context
    },
    contexts: () => [...contexts],
    async [Symbol.asyncDispose]() {
      await Promise.all(Array.from(contexts, (context) => context.close()))
    },
  }
}

function forget(): void {
  launched = undefined
}

async function launchForAll(): Promise<Browser> {
  try {
    // Vitest kills a worker that outlives SIGTERM by half a second, and then the browser's profile stays on the disk. An exit makes
    // Playwright kill the browser and remove its profile at once.
    process.once('SIGTERM', () => process.exit())
    // After a crash the next file starts another one.
    return (await launchBrowser()).once('disconnected', forget)
  } catch (error) {
    forget()
    throw error
  }
}

const disabledFeatures = [
  // An installed Chromium loads pages of its address bar with each window: a second of processor time for each context.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  // A renderer that waits for a page of another site.
  'SpareRendererForSitePerProcess',
  // The switch replaces that of Playwright, which has these.
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** Starts a browser that is the caller's alone, closed when its scope ends. */
export async function launchBrowser(): Promise<Browser> {
  const { executable, environment } = await prepareBrowser()
  return await chromium.launch({
    executablePath: executable,
    // The default of 30 s is what a platform was seen to take beside four other workers.
    timeout: 100_000 * patience,
    // Its processes share files in the temporary folder.
    env: { ...process.env, ...environment, TMPDIR: await quickFolder() },
    // A container allows no second sandbox, and the pages are our own.
    args: ['--no-sandbox', '--disable-gpu', `--disable-features=${disabledFeatures.join()}`],
  })
}
