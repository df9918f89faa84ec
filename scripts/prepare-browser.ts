/**
 * Prepares the browser of the tests. The npm package with a browser and fonts is unpacked into .cache/browser, once per version.
 * The package unpacks into the temporary folder of its process, so a child process with its own temporary folder does it.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const cacheFolder = fileURLToPath(new URL('../.cache/browser/', import.meta.url))
const packageFile = join(
  dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
  '..',
  'package.json',
)

/** Usual paths of an installed Chromium. */
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The program in the package is for Linux x64; its fonts are for every machine. */
const isPackagedForHere = process.platform === 'linux' && process.arch === 'x64'

export interface PreparedBrowser {
  readonly executable: string
  /** Environment of its process: fonts, and libraries for the browser from npm. */
  readonly environment: Readonly<Record<string, string>>
}

/**
 * The browser of the tests: that of `CHROME_PATH`, else the one from npm, else an installed one. All of them use the fonts of the package,
 * so that pages have the same layout everywhere. Safe for concurrent processes.
 */
export async function prepareBrowser(): Promise<PreparedBrowser> {
  const { default: manifest } = (await import(packageFile, { with: { type: 'json' } })) as {
    default: { version: string }
  }
  const installed = findInstalled()
  const folder = join(cacheFolder, manifest.version)
  if (!existsSync(folder)) await unpackInto(folder)
  const fonts = { FONTCONFIG_PATH: join(folder, 'fonts'), LANG: 'en_US.UTF-8' }
  if (installed !== undefined) return { executable: installed, environment: fonts }
  return {
    executable: join(folder, 'chromium'),
    environment: { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') },
  }
}

/** An installed browser beside the one from npm, so that the tests can run with both; undefined unless both are there. */
export function findOtherBrowser(): string | undefined {
  const isChosen = (process.env['CHROME_PATH'] ?? '') !== ''
  return isPackagedForHere && !isChosen ? findUsual() : undefined
}

/** Undefined when the browser from npm is used. */
function findInstalled(): string | undefined {
  const chosen = process.env['CHROME_PATH']
  if (chosen !== undefined && chosen !== '') return chosen
  if (isPackagedForHere) return undefined
  const found = findUsual()
  if (found !== undefined) return found
  throw new Error(
    `The browser from npm runs on Linux x64 alone, and this is ${process.platform} ${process.arch}: install Chromium (Debian: apt-get install chromium), or set CHROME_PATH to one.`,
  )
}

function findUsual(): string | undefined {
  return usualPlaces.find((place) => existsSync(place))
}

async function unpackInto(folder: string): Promise<void> {
  const scratch = join(cacheFolder, randomUUID())
  await mkdir(scratch, { recursive: true })
  try {
    const env = { ...process.env, TMPDIR: scratch }
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url)], { env })
    await writeFile(join(scratch, 'fonts', 'fonts.conf'), fontSettings(folder))
    await rename(scratch, folder).catch((error: unknown) => {
      // Another process has unpacked the same version first.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** A font configuration that only uses the folder, unlike that of the package. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`
}

if (import.meta.main) {
  const { default: chromium, inflate } = await import('@sparticuz/chromium')
  const packed = (name: string) => join(dirname(packageFile), 'bin', name)
  if (isPackagedForHere) {
    await chromium.executablePath()
    await inflate(packed('al2023.tar.br'))
  } else await inflate(packed('fonts.tar.br'))
}
