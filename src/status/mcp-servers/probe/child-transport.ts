import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { deserializeMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { Secrets } from '../server.ts'
import type { Hide } from './hide-secrets.ts'

interface ChildOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Secrets
  /** Of everything it writes to standard output. */
  readonly maxBytes: number
  readonly hide: Hide
}

/** A program that speaks the protocol over its standard input and output. */
export interface ChildTransport extends Transport {
  /** What is known of a program that did not do what it should; undefined when nothing is. */
  complaint(): string | undefined
}

/** Longer than what is shown: a secret in it must be there as a whole to be found. */
const keptErrorLength = 20_000
const politeMs = 400

/**
 * Runs a program in a process group of its own, so that it and everything it starts can be ended together. It sees the few
 * variables that programs need and those it is given, never the platform's own.
 *
 * | it was                          | then                                  |
 * |---------------------------------|---------------------------------------|
 * | told that its input has ended   | it has 400 ms to leave                |
 * | still there                     | SIGTERM to the group, 400 ms          |
 * | still there, or left others     | SIGKILL to the group                  |
 */
export function createChildTransport(options: ChildOptions): ChildTransport {
  const { command, args, env, maxBytes, hide } = options
  let child: ChildProcess | undefined
  let unread = Buffer.alloc(0)
  let bytes = 0
  let lastError = ''
  let nonsense: string | undefined
  let ended: string | undefined
  let failure: Error | undefined
  let closing: Promise<void> | undefined

  function read(chunk: Buffer): void {
    bytes += chunk.length
    if (bytes > maxBytes) {
      ended = `It wrote more than ${maxBytes} bytes.`
      void close()
      return
    }
    unread = Buffer.concat([unread, chunk])
    for (let end = unread.indexOf(10); end >= 0; end = unread.indexOf(10)) {
      const line = unread.toString('utf8', 0, end).trim()
      unread = unread.subarray(end + 1)
      if (line !== '') take(line)
    }
  }

  function take(line: string): void {
    try {
      transport.onmessage?.(deserializeMessage(line))
    } catch {
      nonsense ??= hide(line).slice(0, 80)
    }
  }

  async function close(): Promise<void> {
    closing ??= endGroup()
    await closing
  }

  async function endGroup(): Promise<void> {
    const ours = child
    if (ours?.pid !== undefined && ours.exitCode === null && ours.signalCode === null) {
      ours.stdin?.end()
      ours.stdout?.destroy()
      if (!(await leavesWithin(ours))) {
        killGroup(ours.pid, 'SIGTERM')
        await leavesWithin(ours)
      }
    }
    if (ours?.pid !== undefined) killGroup(ours.pid, 'SIGKILL')
    if (ours?.exitCode === null && ours.signalCode === null && ours.pid !== undefined)
      await once(ours, 'exit')
    for (const stream of [ours?.stdin, ours?.stdout, ours?.stderr]) stream?.destroy()
    transport.onclose?.()
  }

  const transport: ChildTransport = {
    async start() {
      child = spawn(command, args, {
        env: { ...getDefaultEnvironment(), ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      })
      // Both of them tell of it; whoever writes to a program that is gone need not hear it twice.
      child.stdin?.on('error', () => {})
      child.stdout?.on('data', read)
      child.stderr?.on('data', (chunk: Buffer) => {
        lastError = `${lastError}${chunk.toString('utf8')}`.slice(-keptErrorLength)
      })
      child.on('error', (error: NodeJS.ErrnoException) => {
        failure ??= error
      })
      child.on('exit', (code, signal) => {
        if (closing !== undefined) return
        ended ??=
          code === null ? `The program was ended by ${signal}.` : `The program ended with status ${code}.`
        void close()
      })
      await once(child, 'spawn')
    },
    async send(message) {
      child?.stdin?.write(serializeMessage(message))
    },
    close,
    complaint() {
      const reason = failure === undefined ? ended : describeStart(failure, command)
      const lastLine = hide(lastError).trim().split('\n').at(-1)?.trim().slice(0, 200)
      const said = ended === undefined || !lastLine ? '' : ` It said: ${lastLine}`
      const wrote = nonsense === undefined ? '' : `It wrote what is no message of the protocol: ${nonsense}`
      const told = [reason === undefined ? '' : `${reason}${said}`, wrote].filter((part) => part !== '')
      return told.length === 0 ? undefined : told.join(' ')
    },
  }
  return transport
}

async function leavesWithin(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true
  return await once(child, 'exit', { signal: AbortSignal.timeout(politeMs) }).then(
    () => true,
    () => false,
  )
}

/** The program and all it has started. */
function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody is left.
  }
}

function describeStart(error: NodeJS.ErrnoException, command: string): string {
  if (error.code === 'ENOENT') return `There is no program ${command}.`
  if (error.code === 'EACCES') return `The program ${command} may not be run.`
  return `The program ${command} could not be started (${error.code ?? error.message}).`
}
