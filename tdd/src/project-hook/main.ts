import { writeSync } from 'node:fs'
import * as module from 'node:module'
import { hookVersion, neededToolVersion } from '../hook-version.ts'
import { findTool } from './find-tool.ts'
import { isOlder } from './is-older.ts'

interface Tool {
  readonly version?: string
  run(args: readonly string[]): void
}

/** The hook a project carries: finds the tool and hands the call to it, in the same process. */
export function run(args: readonly string[], folder: string): void {
  if (args[0] === '--version') {
    writeSync(1, `${JSON.stringify({ hook: hookVersion, needs: neededToolVersion })}\n`)
    return
  }
  const file = findTool(folder)
  if (file === undefined)
    return pass(args, 'tutti-tdd is not installed; run: npm install --save-dev tutti-tdd')
  try {
    // What V8 made of the tool last time; Node.js 20 cannot keep it and reads the tool anew.
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

/** Lets the call pass, in the words of whoever asked, and says why on standard error. */
function pass(args: readonly string[], problem: string): void {
  writeSync(2, `${problem}; nothing was checked\n`)
  if (args[0] === 'validate') return
  const agent = args.includes('--agent') ? args[args.indexOf('--agent') + 1] : undefined
  if (agent === undefined) writeSync(1, '{"continue":true}\n')
  // Cursor takes silence for a failure, and a failure for a refusal.
  if (agent === 'cursor') writeSync(1, '{"permission":"allow"}\n')
}
