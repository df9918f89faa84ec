import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { stampOfSources } from './source-stamp.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const playerFolder = join(root, 'player')
const distFolder = join(playerFolder, 'dist')
const scratchFolder = join(root, '.cache', 'player-build')

/** The inputs of the build: it is skipped while none of them changed. */
const sources = [
  'player/src',
  'player/package.json',
  'src/tours/player',
  'src/tours/content',
  'scripts/build-player.ts',
  'package-lock.json',
]

/** The script of visitors, and the picker of the tour builder. */
const bundles = [
  { entry: 'main.ts', file: 'player.js', format: 'iife', notice: '' },
  {
    entry: 'picker/main.ts',
    file: 'picker.js',
    // The player imports it.
    format: 'es',
    notice: '/*! Contains finder | (c) Anton Medvedev | MIT license | github.com/antonmedv/finder */',
  },
] as const

/** Builds the tour player into player/dist unless that folder is up to date. */
export async function ensurePlayerBuilt({ log }: { log: (line: string) => void }): Promise<void> {
  const stamp = await stampOfSources(sources)
  if ((await readStamp(distFolder)) === stamp) return
  if (!canBuild()) {
    if (!existsSync(join(distFolder, 'player.js')))
      throw new Error(`The tour player is not built, and ${toolsMissing}`)
    log(`Using the existing build of the tour player: ${toolsMissing}`)
    return
  }
  const started = performance.now()
  const folder = join(scratchFolder, randomUUID())
  try {
    await build(folder)
    await writeFile(join(folder, '.stamp'), stamp)
    await putInPlace(folder, stamp)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  log(`Tour player built in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

const toolsMissing = 'its build tools are not installed (npm ci --omit=dev leaves them out).'

function canBuild(): boolean {
  try {
    return createRequire(join(root, 'console', 'package.json')).resolve('vite') !== ''
  } catch {
    return false
  }
}

async function build(outDir: string): Promise<void> {
  const vite = await import('vite')
  for (const { entry, file, format, notice } of bundles) {
    await vite.build({
      root: playerFolder,
      configFile: false,
      logLevel: 'warn',
      mode: 'production',
      build: {
        outDir,
        emptyOutDir: false,
        target: 'es2022',
        lib: {
          entry: join(playerFolder, 'src', entry),
          formats: [format],
          name: 'tutti',
          fileName: () => file,
        },
        rolldownOptions: {
          output: { postBanner: notice, comments: { legal: true, annotation: false, jsdoc: false } },
        },
      },
    })
    await compress(join(outDir, file))
  }
}

/** Compressed once, at the highest level: every visitor of a page with a tour loads it. */
async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  const quality = { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } }
  await Promise.all([
    promisify(gzip)(content, { level: zlib.Z_BEST_COMPRESSION }).then((small) =>
      writeFile(`${file}.gz`, small),
    ),
    promisify(brotliCompress)(content, quality).then((small) => writeFile(`${file}.br`, small)),
  ])
}

/** Replaces the folder by renaming, so that no process reads an incomplete build. */
async function putInPlace(folder: string, stamp: string): Promise<void> {
  // Another process may have built the same sources meanwhile.
  if ((await readStamp(distFolder)) === stamp) return
  const outdated = join(scratchFolder, randomUUID())
  if (existsSync(distFolder)) await rename(distFolder, outdated).catch(unlessOvertaken)
  await rename(folder, distFolder).catch(unlessOvertaken)
  await rm(outdated, { recursive: true, force: true })

  async function unlessOvertaken(error: unknown): Promise<void> {
    if ((await readStamp(distFolder)) !== stamp) throw error
  }
}

async function readStamp(folder: string): Promise<string | undefined> {
  return await readFile(join(folder, '.stamp'), 'utf8').catch(() => undefined)
}
