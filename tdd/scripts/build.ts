import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../', import.meta.url))
const distFolder = join(folder, 'dist')
const scratchFolder = join(folder, '..', '.cache', 'tdd-build')

/** The inputs of the build: unchanged inputs need no new build. */
const sources = ['src', 'scripts', 'package.json', join('..', 'package-lock.json')].map((name) =>
  join(folder, name),
)

/** Builds tutti-tdd into tdd/dist unless it was built from the same sources. */
export async function ensureTddBuilt({ log }: { log: (line: string) => void }): Promise<void> {
  const stamp = await stampOfSources()
  if ((await readStamp(distFolder)) === stamp) return
  if (!canBuild()) {
    log('tutti-tdd is left as it is: its build tools are not installed (npm ci --omit=dev leaves them out).')
    return
  }
  const started = performance.now()
  const scratch = join(scratchFolder, randomUUID())
  try {
    await build(scratch)
    await writeFile(join(scratch, '.stamp'), stamp)
    await putInPlace(scratch, stamp)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  log(`tutti-tdd built in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

/**
 * Three bundles make the tool: the hook for edits, which must start at once, what prompts and shell commands need besides, and
 * the commands. Two more are what `init` copies into projects, where people read them.
 */
async function build(outFolder: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundles = [
    {
      entry: 'main.ts',
      file: 'tutti-tdd.cjs',
      minify: true,
      banner: '#!/usr/bin/env node',
      footer: 'if (require.main === module) exports.run(process.argv.slice(2))',
    },
    { entry: 'aside.ts', file: 'aside.cjs', minify: true },
    { entry: 'commands.ts', file: 'commands.cjs', minify: true },
    {
      entry: 'project-hook/main.ts',
      file: 'project-hook.cjs',
      footer: 'exports.run(process.argv.slice(2), __dirname)',
    },
    { entry: 'init/opencode-plugin.ts', file: 'opencode-plugin.mjs' },
  ]
  await mkdir(outFolder, { recursive: true })
  for (const { entry, file, minify = false, banner = '', footer = '' } of bundles) {
    const bundle = await rolldown({
      input: join(folder, 'src', entry),
      platform: 'node',
      treeshake: true,
    })
    const format = file.endsWith('.mjs') ? 'esm' : 'cjs'
    await bundle.write({ file: join(outFolder, file), format, minify, banner, footer })
    await bundle.close()
  }
  await chmod(join(outFolder, 'tutti-tdd.cjs'), 0o755)
}

function canBuild(): boolean {
  try {
    return createRequire(join(folder, 'package.json')).resolve('rolldown') !== ''
  } catch {
    return false
  }
}

/** Swaps the folder in by renaming, so that no process runs an incomplete build. */
async function putInPlace(scratch: string, stamp: string): Promise<void> {
  // Another process may have built the same sources meanwhile; its build is as good as ours.
  if ((await readStamp(distFolder)) === stamp) return
  const outdated = join(scratchFolder, randomUUID())
  if (existsSync(distFolder)) await rename(distFolder, outdated).catch(unlessOvertaken)
  await rename(scratch, distFolder).catch(unlessOvertaken)
  await rm(outdated, { recursive: true, force: true })

  async function unlessOvertaken(error: unknown): Promise<void> {
    if ((await readStamp(distFolder)) !== stamp) throw error
  }
}

async function readStamp(where: string): Promise<string | undefined> {
  return await readFile(join(where, '.stamp'), 'utf8').catch(() => undefined)
}

async function stampOfSources(): Promise<string> {
  const files = (await Promise.all(sources.map(filesIn))).flat().toSorted()
  const hash = createHash('sha256')
  for (const file of files.filter((path) => existsSync(path))) {
    const content = await readFile(file)
    hash.update(`${relative(folder, file)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) return [path]
  return entries
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
}

if (import.meta.main) await ensureTddBuilt({ log: (line) => console.log(line) })
