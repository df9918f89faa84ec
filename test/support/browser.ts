import { type Browser, chromium } from 'playwright-core'
import { prepareBrowser } from '../../scripts/prepare-browser.ts'
import { quickFolder } from './quick-folder.ts'

/** The browser of the tests, closed when its scope ends: `await using browser = await openBrowser()`. */
export async function openBrowser(): Promise<Browser> {
  const { executable, environment } = await prepareBrowser()
  return await chromium.launch({
    executablePath: executable,
    // What its processes share is kept in files of the temporary folder.
    env: { ...process.env, ...environment, TMPDIR: await quickFolder() },
    // Inside a container there is no second sandbox to be had, and the pages are our own.
    args: ['--no-sandbox', '--disable-gpu'],
  })
}
