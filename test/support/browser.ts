import { type Browser, chromium } from 'playwright-core'
import { ensureBrowserUnpacked } from '../../scripts/unpack-browser.ts'

/** The browser of the tests, closed when its scope ends: `await using browser = await openBrowser()`. */
export async function openBrowser(): Promise<Browser> {
  const { executable, environment } = await findBrowser()
  return await chromium.launch({
    executablePath: executable,
    env: { ...process.env, ...environment },
    // Inside a container there is no second sandbox to be had, and the pages are our own.
    args: ['--no-sandbox', '--disable-gpu'],
  })
}

async function findBrowser() {
  const installed = process.env['CHROME_PATH']
  if (installed === undefined || installed === '') return await ensureBrowserUnpacked()
  return { executable: installed, environment: {} }
}
