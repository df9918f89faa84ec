import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Logger } from '#kernel/telemetry'

export interface ServerLog {
  /** The last few lines, for the error of a failed start. */
  lastLines(): string
}

/**
 * Statement errors are answered to whoever sent the statement, so what PostgreSQL prints is about the server itself. FATAL is
 * one connection that was refused or ended; PANIC is the whole server.
 */
const levels = { LOG: 'debug', WARNING: 'warn', ERROR: 'warn', FATAL: 'debug', PANIC: 'error' } as const
type Severity = keyof typeof levels

const rememberedLines = 20

/** Passes PostgreSQL's messages on to our log. A server we attach to has lost its reader with the process that started it. */
export function followServerLog({ stderr }: ChildProcess, log: Logger): ServerLog {
  const lines: string[] = []
  let level: (typeof levels)[Severity] = 'debug'
  if (stderr) {
    // The pipe must not keep our process alive when all else is done.
    if (stderr instanceof Socket) stderr.unref()
    createInterface({ input: stderr }).on('line', (line) => {
      if (lines.push(line) > rememberedLines) lines.shift()
      // Details, hints and statements follow on lines of their own and share the level of what they explain.
      const severity = /^\d+ (LOG|WARNING|ERROR|FATAL|PANIC): {2}/.exec(line)?.[1] as Severity | undefined
      if (severity) level = levels[severity]
      log[level]({ postgres: line }, 'message of the embedded PostgreSQL')
    })
  }
  return { lastLines: () => lines.join('\n') }
}
