import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureTddBuilt } from '../../scripts/build.ts'
import { homeEnvironment } from './home.ts'

/** The built tool, as users get it. */
export const toolFile = fileURLToPath(new URL('../../dist/tutti-tdd.cjs', import.meta.url))

/** The compile cache: compiling takes a third of the processor time of a command. */
const compileCache = fileURLToPath(new URL('../../../.cache/node', import.meta.url))

export async function buildTool(): Promise<void> {
  await ensureTddBuilt({ log: () => {} })
}

export interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

export interface RunOptions {
  readonly cwd: string
  readonly input?: string
  /** Added to our own environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly uid?: number
}

/** Runs a program to its end. */
export function runProgram(program: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, input = '', env = {}, uid } = options
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => (stdout += String(chunk)))
    child.stderr.on('data', (chunk) => (stderr += String(chunk)))
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (code) => resolve({ stdout, stderr, code }))
    child.stdin.end(input)
  })
}

/** Runs a command of the tool in a project. */
export function tutti(
  cwd: string,
  args: readonly string[],
  options: Omit<RunOptions, 'cwd'> = {},
): Promise<Ended> {
  const env = { NODE_COMPILE_CACHE: compileCache, ...homeEnvironment, ...options.env }
  return runProgram(process.execPath, [toolFile, ...args], { cwd, ...options, env })
}

/** Calls the hook in the documented protocol and returns its parsed response. */
export async function ask(cwd: string, question: object): Promise<{ answer: unknown; stderr: string }> {
  const { stdout, stderr, code } = await tutti(cwd, ['hook', JSON.stringify(question)])
  if (code !== 0) throw new Error(`the hook ended with ${code}: ${stderr}`)
  return { answer: JSON.parse(stdout), stderr }
}

/** A call before a file is written. */
export function writing(file: string, toolName = 'Write'): object {
  return { event: 'PreToolUse', data: { toolName, args: { file_path: file } } }
}
