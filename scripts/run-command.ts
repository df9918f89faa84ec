import { spawn } from 'node:child_process'

export interface CommandResult {
  readonly ok: boolean
  readonly output: string
  readonly seconds: number
}

/** Runs a program to its end and returns its output. */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const started = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      output += error.message
      resolve(1)
    })
    child.on('close', (status) => resolve(status ?? 1))
  })
  return { ok: code === 0, output, seconds: (performance.now() - started) / 1000 }
}
