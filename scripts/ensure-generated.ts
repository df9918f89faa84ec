import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { stampOfSources } from './source-stamp.ts'

const root = new URL('../', import.meta.url)
const stampFile = new URL('.cache/generated.stamp', root)

/** The generated files that are not in the repository. The console is built with the schema of flows, and its types are checked with both. */
const untracked = [
  'console/src/api/schema.generated.ts',
  'console/src/pages/flow-editor/form/flow-schema.generated.json',
]

/** What the generated files are made from. */
const sources = ['src', 'scripts', 'package.json', 'package-lock.json']

interface Options {
  /** Also writes files that are outdated. A start writes only those that are missing: it should not wait for types. */
  readonly outdated: boolean
  readonly log: (line: string) => void
}

/** Writes the generated files where that is needed. An installation without development packages keeps those it has. */
export async function ensureGenerated({ outdated, log }: Options): Promise<void> {
  const isComplete = untracked.every((file) => existsSync(new URL(file, root)))
  if ((isComplete && !outdated) || !canGenerate()) return
  const stamp = await stampOfSources(sources)
  if (isComplete && (await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return
  const started = performance.now()
  // The platform is described by loading it. Test workers load it from the same cache without compiling it.
  const env = { ...process.env, NODE_COMPILE_CACHE: fileURLToPath(new URL('.cache/node', root)) }
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/generate.ts'], { cwd: root, env })
  await mkdir(new URL('.', stampFile), { recursive: true })
  await writeFile(stampFile, stamp)
  log(`${stdout}Generated files are up to date after ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

function canGenerate(): boolean {
  try {
    return createRequire(fileURLToPath(root)).resolve('openapi-typescript') !== ''
  } catch {
    return false
  }
}
