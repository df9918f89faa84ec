import { readFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { UserError } from '#kernel/errors'
import { errorCode, type HostFailure, isConnectionLost, NoHostError } from './connection-errors.ts'
import type { ConnectionTarget, HostAddress } from './connection-target.ts'
import { explainTlsError, mayTryOtherTls, type TlsAttempt, tlsAttempts } from './tls.ts'

/** One open connection. */
export interface Connection {
  readonly client: Client
  readonly host: HostAddress
  /** Ends the session in order; a server that does not respond is left after a second. */
  close(): Promise<void>
  /** Ends the connection at once; statements in progress fail with the reason. */
  destroy(reason?: Error): void
}

/** Opens connections to the hosts of one address. */
export interface Connector {
  /**
   * Connects to the first host that accepts and allows what `sessionAttributes` demands, beginning with the host of the last connection.
   * Throws when none does before the deadline, a time of `performance.now()`; `isConnectionLost` is then true, unless a server refuses
   * the credentials, or a file cannot be read. An aborted signal ends the attempt.
   */
  open(deadline: number, signal?: AbortSignal): Promise<Connection>
}

/** Limits of the session that are sent with the first message of a connection. */
export type SessionConfig = Pick<
  ClientConfig,
  | 'types'
  | 'query_timeout'
  | 'statement_timeout'
  | 'lock_timeout'
  | 'idle_in_transaction_session_timeout'
  | 'application_name'
>

/** How long one of several hosts may take, so that a silent host leaves time for the others. */
const hostTimeoutMs = 3000
/** A host that had less time than this is not called silent: another one may have used up the time of the attempt. */
const minSilentMs = 500
/** How long a host that did not respond is tried after the others. */
const silentMs = 30_000
const closeTimeoutMs = 1000

/** Does not throw, and opens nothing yet. `withOptions` is false for a pooler, which refuses options. */
export function createConnector(
  target: ConnectionTarget,
  session: SessionConfig = {},
  { withOptions = true }: { readonly withOptions?: boolean } = {},
): Connector {
  const config: ClientConfig = {
    application_name: target.applicationName,
    ...(withOptions && target.options !== undefined && { options: target.options }),
    ...session,
  }
  let last: HostAddress | undefined
  const silentUntil = new Map<HostAddress, number>()

  /** The host of the last connection, then the others in their order; a host that did not respond comes last for some time. */
  function hostsInOrder(): readonly HostAddress[] {
    const now = performance.now()
    const rankOf = (host: HostAddress) => {
      if ((silentUntil.get(host) ?? 0) > now) return 2
      return host === last ? 0 : 1
    }
    return target.hosts.toSorted((one, other) => rankOf(one) - rankOf(other))
  }

  return {
    async open(deadline, signal) {
      const hosts = hostsInOrder()
      last = undefined
      const failures: HostFailure[] = []
      for (const host of hosts) {
        const remainingMs = deadline - performance.now()
        if (remainingMs <= 0 && failures.length > 0) break
        const hostMs = target.connectTimeoutMs ?? (hosts.length > 1 ? hostTimeoutMs : remainingMs)
        const timeoutMs = Math.max(1, Math.min(hostMs, remainingMs))
        try {
          const connection = await connectTo(target, config, host, { timeoutMs, signal })
          last = host
          return connection
        } catch (error) {
          // A wrong password is as wrong at the other hosts.
          if (!isConnectionLost(error)) throw explainTlsError(error, target, host)
          if (isTimeout(error) && timeoutMs >= minSilentMs) {
            silentUntil.set(host, performance.now() + silentMs)
          }
          failures.push({ host, error })
        }
      }
      throw hosts.length === 1 ? failures[0]?.error : noHost(failures)
    },
  }
}

const timeoutMessage = 'timeout expired'

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.message === timeoutMessage || errorCode(error) === 'ETIMEDOUT')
}

function noHost(failures: readonly HostFailure[]): NoHostError {
  const reasons = failures.map(({ host, error }) => `${host.host}:${host.port}: ${reasonOf(error)}`)
  return new NoHostError(`no host can be used (${reasons.join('; ')})`, failures)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || (errorCode(error) ?? error.name)
}

interface AttemptLimit {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

async function connectTo(
  target: ConnectionTarget,
  config: ClientConfig,
  host: HostAddress,
  { timeoutMs, signal }: AttemptLimit,
): Promise<Connection> {
  const attempts = await tlsAttempts(target, host)
  const deadline = performance.now() + timeoutMs
  for (const [index, tls] of attempts.entries()) {
    const isLast = index === attempts.length - 1
    try {
      const limit = { timeoutMs: Math.max(1, deadline - performance.now()), signal }
      return await attempt(target, config, host, tls, limit)
    } catch (error) {
      if (isLast || !mayTryOtherTls(error)) throw error
    }
  }
  throw new Error('unreachable: there is always an attempt')
}

async function attempt(
  target: ConnectionTarget,
  config: ClientConfig,
  host: HostAddress,
  tls: TlsAttempt,
  { timeoutMs, signal }: AttemptLimit,
): Promise<Connection> {
  signal?.throwIfAborted()
  const socket = new Socket()
  const client = new Client({
    ...config,
    ...host,
    user: target.user,
    database: target.database,
    password: () => readPassword(target),
    ssl: tls,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: () => socket,
  })
  // The driver emits `error` when an idle connection breaks; without a listener that would end the process.
  client.on('error', () => {})
  // One timer for all of it: the driver's own limit does not cover the statement below.
  const timer = setTimeout(() => socket.destroy(new Error(timeoutMessage)), timeoutMs)
  const abort = () => socket.destroy(new Error('Connection terminated'))
  signal?.addEventListener('abort', abort)
  try {
    await client.connect()
    await checkSession(target, client)
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return {
    client,
    host,
    destroy: (reason) => void socket.destroy(reason),
    async close() {
      const cut = setTimeout(() => socket.destroy(), closeTimeoutMs)
      await client.end().catch(() => {})
      clearTimeout(cut)
    },
  }
}

const maxPasswordLength = 64 * 1024

/** Read for each connection, because passwords in files rotate. */
async function readPassword({ variable, password, passwordFile }: ConnectionTarget): Promise<string> {
  if (passwordFile === undefined) {
    if (password !== undefined) return password
    throw new UserError(
      `${variable}: the server asks for a password. Add it to the address (postgres://USER:PASSWORD@HOST/DATABASE), or set DATABASE_PASSWORD_FILE.`,
    )
  }
  const text = await readFile(passwordFile, 'utf8').catch((error: unknown) => {
    throw new UserError(
      `DATABASE_PASSWORD_FILE: the file cannot be read (${errorCode(error) ?? 'unknown reason'}): ${passwordFile}`,
      { cause: error },
    )
  })
  const read = text.replace(/\r?\n$/, '')
  if (read === '' || read.length > maxPasswordLength) {
    throw new UserError(`DATABASE_PASSWORD_FILE: the file must contain one password: ${passwordFile}`)
  }
  return read
}

async function checkSession({ sessionAttributes }: ConnectionTarget, client: Client): Promise<void> {
  if (sessionAttributes === 'any') return
  const { rows } = await client.query<{ standby: boolean; readOnly: boolean }>(
    `select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as "readOnly"`,
  )
  const { standby, readOnly } = rows[0] ?? { standby: true, readOnly: true }
  if (standby) throw new NoHostError('the server is a standby')
  if (readOnly && sessionAttributes === 'read-write') throw new NoHostError('the server is read-only')
}
