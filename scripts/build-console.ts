import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { stampOfSources } from './source-stamp.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const consoleFolder = join(root, 'console')
const distFolder = join(consoleFolder, 'dist')
const scratchFolder = join(root, '.cache', 'console-build')

/** The inputs of the build: it is skipped while none of them changed. Some files come from other parts. */
const sources = [
  ...['src', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => `console/${name}`),
  'player/src/protocol.ts',
  ...['bundled-texts', 'match-route', 'texts', 'theme'].map((name) => `src/tours/player/${name}.ts`),
  'package-lock.json',
]

/** Builds the console into console/dist unless that folder is up to date. */
export async function ensureConsoleBuilt({ log }: { log: (line: string) => void }): Promise<void> {
  const stamp = await stampOfSources(sources)
  if ((await readStamp(distFolder)) === stamp) return
  if (!canBuild()) {
    if (!existsSync(join(distFolder, 'index.html')))
      throw new Error(`The console is not built, and ${toolsMissing}`)
    log(`Using the existing build of the console: ${toolsMissing}`)
    return
  }
  const started = performance.now()
  const folder = join(scratchFolder, randomUUID())
  try {
    // A separate process, so that the build is for production whatever NODE_ENV the caller has.
    const env = { ...process.env, NODE_ENV: 'production' }
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), folder], { env })
    await compressAssets(folder)
    await writeFile(join(folder, '.stamp'), stamp)
    await putInPlace(folder, stamp)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  log(`Console built in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

const toolsMissing = 'its build tools are not installed (npm ci --omit=dev leaves them out).'

function canBuild(): boolean {
  try {
    return createRequire(join(consoleFolder, 'package.json')).resolve('vite') !== ''
  } catch {
    return false
  }
}

async function build(outDir: string): Promise<void> {
  const [vite, { default: config }] = await Promise.all([import('vite'), import('../console/vite.config.ts')])
  await vite.build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    build: { ...config.build, outDir, emptyOutDir: true },
  })
}

/** Assets never change under their name, so they are compressed once, at the highest level. */
async function compressAssets(folder: string): Promise<void> {
  const assets = join(folder, 'assets')
  const names = (await readdir(assets)).filter((name) => /\.(?:js|css|svg)$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const file = join(assets, name)
      const content = await readFile(file)
      const quality = { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } }
      await Promise.all([
        promisify(gzip)(content, { level: zlib.Z_BEST_COMPRESSION }).then((small) =>
          writeFile(`${file}.gz`, small),
        ),
        promisify(brotliCompress)(content, quality).then((small) => writeFile(`${file}.br`, small)),
      ])
    }),
  )
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

if (import.meta.main) await build(process.argv[2] ?? distFolder)
