import { DatabaseError } from 'pg'
import { type Connector, type HostAddress, NoHostError } from '#kernel/postgres'
import type { Borrowed } from './connection-pool.ts'

interface SilenceWatchOptions {
  readonly borrowed: ReadonlySet<Borrowed>
  readonly connector: Connector
  /** How long a statement may wait for its response before the server has to prove that it is alive, and how long the proof may take. */
  readonly quietMs: number
  readonly signal: AbortSignal
  readonly onSilent: (cause: Error, since: number) => void
}

interface Answer {
  readonly isFrom: (host: HostAddress) => boolean
  readonly cause: unknown
}

/**
 * Tells a slow statement from a server that no longer responds: a network that drops packets closes no connection, and a statement may
 * take long. While a statement has waited for `quietMs`, a new connection to its server has to succeed. If it does not, the waiting
 * statements fail as lost connections: after two times `quietMs` and a second instead of the whole time limit of a statement.
 */
export function watchSilence({ borrowed, connector, quietMs, signal, onSilent }: SilenceWatchOptions) {
  let checking = false
  let provenAt = performance.now()
  const everyMs = Math.min(1000, quietMs)

  function waitingBefore(time: number): Borrowed[] {
    return [...borrowed].filter(({ waitingSince }) => waitingSince !== undefined && waitingSince <= time)
  }

  async function check(): Promise<void> {
    const startedAt = performance.now()
    if (startedAt - provenAt < quietMs || waitingBefore(startedAt - quietMs).length === 0) return
    const answer = await askServer()
    if (signal.aborted) return
    const silent = waitingBefore(startedAt).filter(({ connection }) => !answer.isFrom(connection.host))
    if (silent.length === 0) {
      provenAt = performance.now()
      return
    }
    const since = Math.min(...silent.map(({ waitingSince }) => waitingSince ?? startedAt))
    const reason = new Error('Connection terminated: the server does not respond', { cause: answer.cause })
    for (const { connection } of silent) connection.destroy(reason)
    onSilent(reason, since)
  }

  /** Opens a connection. A server that refuses it with an error of its own has responded too. */
  async function askServer(): Promise<Answer> {
    try {
      const connection = await connector.open(performance.now() + quietMs, signal)
      void connection.close()
      return { isFrom: (host) => isSame(connection.host, host), cause: undefined }
    } catch (error) {
      if (error instanceof DatabaseError) return { isFrom: () => true, cause: error }
      const failures = error instanceof NoHostError ? error.failures : []
      const responding = failures.filter((it) => it.error instanceof DatabaseError)
      return { isFrom: (host) => responding.some((it) => isSame(it.host, host)), cause: error }
    }
  }

  const timer = setInterval(() => {
    if (checking) return
    checking = true
    void check().finally(() => {
      checking = false
    })
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

function isSame(one: HostAddress, other: HostAddress): boolean {
  return one.host === other.host && one.port === other.port
}
