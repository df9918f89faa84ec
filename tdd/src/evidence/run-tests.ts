import { spawn } from 'node:child_process'

export interface TestRun {
  readonly exitCode: number
  readonly timedOut: boolean
  readonly stdout: string
  /** The beginning of standard error: compilers write their errors there. */
  readonly stderr: string
}

const maxOutput = 64 * 1024 * 1024
const maxErrorOutput = 8 * 1024 * 1024
/** The time between SIGTERM and SIGKILL. */
const graceMs = 2000

export interface TestRunOptions {
  readonly command: string
  readonly cwd: string
  readonly timeoutMs: number
  /** Passes on the output of the tests as it arrives. */
  readonly show: (chunk: Buffer, stream: 'stdout' | 'stderr') => void
}

/** Runs a test command in a shell; after the timeout, all its processes are ended. */
export async function runTests({ command, cwd, timeoutMs, show }: TestRunOptions): Promise<TestRun> {
  const ownGroup = process.platform !== 'win32'
  const child = spawn(command, {
    cwd,
    shell: true,
    detached: ownGroup,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const end = (signal: NodeJS.Signals): void => {
    try {
      if (ownGroup && child.pid !== undefined) process.kill(-child.pid, signal)
      else child.kill(signal)
    } catch {
      // The process has already exited.
    }
  }
  const interrupt = (): void => end('SIGINT')
  process.once('SIGINT', interrupt)
  const chunks: Buffer[] = []
  const errorChunks: Buffer[] = []
  let size = 0
  let errorSize = 0
  let timedOut = false
  child.stdout.on('data', (chunk: Buffer) => {
    show(chunk, 'stdout')
    size += chunk.length
    if (size <= maxOutput) chunks.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    show(chunk, 'stderr')
    errorSize += chunk.length
    if (errorSize <= maxErrorOutput) errorChunks.push(chunk)
  })
  const timers: NodeJS.Timeout[] = []
  timers.push(
    setTimeout(() => {
      timedOut = true
      end('SIGTERM')
      timers.push(setTimeout(() => end('SIGKILL'), graceMs))
    }, timeoutMs),
  )
  try {
    const exitCode = await new Promise<number>((resolve) => {
      child.on('error', () => resolve(127))
      child.on('close', (code) => resolve(code ?? 1))
    })
    const [stdout = '', stderr = ''] = [chunks, errorChunks].map((kept) =>
      Buffer.concat(kept).toString('utf8'),
    )
    return { exitCode, timedOut, stdout, stderr }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    process.removeListener('SIGINT', interrupt)
  }
}
