import { spawnSync } from 'node:child_process'
import { findAbove } from './find-above.ts'

/** A program of the project that the tool can start: its tests, its linter. */
export interface Tool {
  readonly name: string
  readonly command: string
  /**
   * A command that shows that the program works, without running its task. Without it, only the first word of the command is
   * searched.
   */
  readonly probe?: string
  /** The npm package whose program the command starts through `npx`. */
  readonly npmPackage?: string
  /** The command that installs the program. */
  readonly install?: string
}

export interface Trial {
  readonly works: boolean
  /** The first line of the output, or the reason for a failed start. */
  readonly said: string
}

/** Starting a build tool takes seconds on a loaded machine. */
const startTimeoutMs = 10_000

/** Tries whether a tool can be started in a folder. */
export function tryTool({ command, probe, npmPackage }: Tool, folder: string): Trial {
  if (npmPackage !== undefined) {
    const program = findAbove(folder, `node_modules/.bin/${npmPackage}`)
    return program === undefined
      ? { works: false, said: `${npmPackage} is not installed` }
      : tryCommand(`"${program}" --version`, folder)
  }
  if (probe !== undefined) return tryCommand(probe, folder)
  const word = /^(?:\w+=\S*\s+)*([\w./@+-]+)(?:\s|$)/.exec(command)?.[1]
  if (word === undefined) return { works: true, said: 'not tried' }
  const finder = process.platform === 'win32' ? 'where' : 'command -v'
  const { works } = tryCommand(`${finder} ${word}`, folder)
  return { works, said: works ? `${word} found` : `${word} is not found` }
}

function tryCommand(command: string, cwd: string): Trial {
  const { status, stdout, stderr, error } = spawnSync(command, {
    shell: true,
    cwd,
    encoding: 'utf8',
    timeout: startTimeoutMs,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  if (error !== undefined) return { works: false, said: error.message }
  const lines = (status === 0 ? stdout : `${stderr}\n${stdout}`).split('\n')
  const said = lines
    .find((line) => line.trim() !== '')
    ?.trim()
    .slice(0, 200)
  return { works: status === 0, said: said ?? `${command} ended with ${status}` }
}
