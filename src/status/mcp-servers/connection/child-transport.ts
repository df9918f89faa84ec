import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { deserializeMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { Secrets } from '../server.ts'
import type { Redact } from './redact-secrets.ts'

interface ChildOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Secrets
  /** Limit of standard output, until it is renewed. */
  readonly maxBytes: number
  readonly redact: Redact
}

/** A program that serves the protocol over standard input and output. */
export interface ChildTransport extends Transport {
  /** The error of the program; undefined when unknown. */
  problem(): string | undefined
  /** Counts the output from here on. */
  renew(): void
}

/** Longer than the part that is shown: only a complete secret can be redacted. */
const keptErrorLength = 20_000
const exitTimeoutMs = 400

/**
 * Runs a program in its own process group, so that it and its children can be ended together. It gets the default environment variables of
 * the protocol and the configured ones, never those of the platform.
 *
 * | the program                     | next                                  |
 * |---------------------------------|---------------------------------------|
 * | has its input closed            | 400 ms to exit                        |
 * | still runs                      | SIGTERM to the group, 400 ms          |
 * | still runs, or left children    | SIGKILL to the group                  |
 */
export function createChildTransport(options: ChildOptions): ChildTransport {
  const { command, args, env, maxBytes, redact } = options
  let child: ChildProcess | undefined
  let unread = Buffer.alloc(0)
  let bytes = 0
  let lastError = ''
  let invalidLine: string | undefined
  let ended: string | undefined
  let failure: Error | undefined
  let closing: Promise<void> | undefined

  function read(chunk: Buffer): void {
    bytes += chunk.length
    if (bytes > maxBytes) {
      ended = `The program wrote more than ${maxBytes} bytes.`
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
      invalidLine ??= redact(line).slice(0, 80)
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
      if (!(await exitsInTime(ours))) {
        killGroup(ours.pid, 'SIGTERM')
        await exitsInTime(ours)
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
      // The exit event reports the same failure.
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
    renew() {
      bytes = 0
    },
    problem() {
      const reason = failure === undefined ? ended : describeStart(failure, command)
      const lastLine = redact(lastError).trim().split('\n').at(-1)?.trim().slice(0, 200)
      const errorOutput =
        ended === undefined || !lastLine ? '' : ` Last line of its error output: ${lastLine}`
      const wrote =
        invalidLine === undefined
          ? ''
          : `The program wrote a line that is not a message of the protocol: ${invalidLine}`
      const parts = [reason === undefined ? '' : `${reason}${errorOutput}`, wrote].filter(
        (part) => part !== '',
      )
      return parts.length === 0 ? undefined : parts.join(' ')
    },
  }
  return transport
}

async function exitsInTime(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true
  return await once(child, 'exit', { signal: AbortSignal.timeout(exitTimeoutMs) }).then(
    () => true,
    () => false,
  )
}

/** Signals the program and its children. */
function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // No process of the group is left.
  }
}

function describeStart(error: NodeJS.ErrnoException, command: string): string {
  if (error.code === 'ENOENT') return `The program ${command} was not found.`
  if (error.code === 'EACCES') return `The program ${command} is not executable.`
  return `The program ${command} could not be started (${error.code ?? error.message}).`
}
