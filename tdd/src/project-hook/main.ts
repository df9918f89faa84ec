import { existsSync, readFileSync, realpathSync, writeSync } from 'node:fs'
import * as module from 'node:module'
import { hookVersion, neededToolVersion } from '../hook-version.ts'

interface Tool {
  readonly version?: string
  run(args: readonly string[]): void
}

/** The hook file of a project: finds the tool and passes the call to it, in the same process. */
export function run(args: readonly string[], folder: string): void {
  if (args[0] === '--version') {
    writeSync(1, `${JSON.stringify({ hook: hookVersion, needs: neededToolVersion })}\n`)
    return
  }
  const file = findTool(folder)
  if (file === undefined)
    return pass(args, 'tutti-tdd is not installed; run: npm install --save-dev tutti-tdd')
  try {
    // The compile cache of the tool; Node.js 20 does not support it.
    module.enableCompileCache?.(`${folder}/cache/node`)
    const tool = require(file) as Tool
    const { version = '0.0.0' } = tool
    if (isOlder(version, neededToolVersion))
      return pass(
        args,
        `tutti-tdd ${version} is installed, and this hook needs ${neededToolVersion} or newer`,
      )
    tool.run(args[0] === 'validate' ? args : ['hook', ...args])
  } catch (error) {
    pass(
      args,
      `tutti-tdd could not be run: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    )
  }
}

/** Lets the call pass, in the protocol of the assistant, and writes the reason to standard error. */
function pass(args: readonly string[], problem: string): void {
  writeSync(2, `${problem}; nothing was checked\n`)
  if (args[0] === 'validate') return
  const agent = args.includes('--agent') ? args[args.indexOf('--agent') + 1] : undefined
  if (agent === undefined) writeSync(1, '{"continue":true}\n')
  // Cursor treats empty output as a failure, and a failure as a refusal.
  if (agent === 'cursor') writeSync(1, '{"permission":"allow"}\n')
}

/** Compares versions number by number; a suffix after a dash is ignored. */
function isOlder(version: string, than: string): boolean {
  const [have, want] = [version, than].map((text) => (text.split('-')[0] ?? '').split('.').map(Number))
  for (let at = 0; at < 3; at++) {
    const difference = (have?.[at] || 0) - (want?.[at] || 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

const inPackages = 'node_modules/tutti-tdd/dist/tutti-tdd.cjs'

/** Finds the tool: in the project's packages, at its last path on this machine, then on the PATH. `folder` is `.tdd`. */
function findTool(folder: string): string | undefined {
  return amongPackages(folder) ?? remembered(folder) ?? onPath()
}

/** Searches `node_modules` from the project upwards, as Node.js does. */
function amongPackages(folder: string): string | undefined {
  const steps = folder.split(/[\\/]/)
  for (let depth = steps.length - 1; depth > 0; depth--) {
    const file = `${steps.slice(0, depth).join('/')}/${inPackages}`
    if (existsSync(file)) return file
  }
  return undefined
}

/** Reads the path of the last run from a file that git ignores, because it is valid on this machine only. */
function remembered(folder: string): string | undefined {
  try {
    const file = readFileSync(`${folder}/cache/tool`, 'utf8').trim()
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

function onPath(): string | undefined {
  const separator = process.platform === 'win32' ? ';' : ':'
  for (const folder of (process.env['PATH'] ?? '').split(separator)) {
    const link = `${folder}/tutti-tdd`
    if (folder === '' || !existsSync(link)) continue
    // npm links to the program; on Windows it writes a script beside its packages instead.
    const [target, beside] = [realpathSync(link), `${folder}/${inPackages}`]
    if (target.endsWith('tutti-tdd.cjs')) return target
    if (existsSync(beside)) return beside
  }
  return undefined
}
