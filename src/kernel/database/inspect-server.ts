import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '#kernel/errors'
import {
  type Connection,
  type ConnectionTarget,
  type Connector,
  createConnector,
  isConnectionLost,
} from '#kernel/postgres'
import { type ClockMeasurement, measureClock } from './clock.ts'

/**
 * What is at the other end of an address.
 *
 * | kind        | a connection is                                 | LISTEN, locks of a session and migrations |
 * |-------------|-------------------------------------------------|-------------------------------------------|
 * | direct      | a session of PostgreSQL                         | work                                      |
 * | session     | a session, through a proxy or a pooler          | work                                      |
 * | transaction | a session until the end of each transaction     | do not work                               |
 */
type ServerKind = 'direct' | 'session' | 'transaction'

export interface InspectedServer {
  readonly version: string
  readonly kind: ServerKind
  /** The same for two addresses of the same database. */
  readonly identity: string
  readonly clock: ClockMeasurement
}

const minMajorVersion = 15

/** Connects once, waiting while the server starts. Throws a `UserError` when it cannot be reached or is too old. */
export async function inspectServer(
  target: ConnectionTarget,
  connectWaitMs: number,
): Promise<InspectedServer> {
  // Without the limits of a session and without options, which poolers refuse.
  const connector = createConnector(
    target,
    { query_timeout: Math.max(1000, connectWaitMs) },
    { withOptions: false },
  )
  const deadline = performance.now() + connectWaitMs
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1000)) {
    try {
      return await inspect(connector, target, connectWaitMs)
    } catch (error) {
      if (error instanceof UserError) throw error
      const reason = error instanceof Error ? error.message || error.name : String(error)
      if (!isConnectionLost(error)) throw new UserError(`${target.variable}: ${reason}`, { cause: error })
      if (performance.now() + waitMs > deadline) {
        throw new UserError(
          `${target.variable}: the PostgreSQL server cannot be reached (${reason}). Check that it is running and that the address is right.`,
          { cause: error },
        )
      }
    }
    await delay(waitMs)
  }
}

async function inspect(
  connector: Connector,
  { variable }: ConnectionTarget,
  connectWaitMs: number,
): Promise<InspectedServer> {
  const open = () => connector.open(performance.now() + Math.max(1000, connectWaitMs))
  const first = await open()
  try {
    const { rows } = await first.client.query<{ version: string; pid: number; identity: string }>(`
      select current_setting('server_version') as version, pg_backend_pid() as pid,
        concat_ws(' ', current_database(), pg_postmaster_start_time()) as identity
    `)
    const { version: fullVersion = 'unknown', pid, identity = '' } = rows[0] ?? {}
    // Distributions append their own name: `18.4 (Debian 18.4-1)`.
    const version = fullVersion.split(' ')[0] ?? fullVersion
    if (Number.parseInt(version, 10) < minMajorVersion) {
      throw new UserError(
        `${variable}: PostgreSQL ${version} is too old. Use version ${minMajorVersion} or later.`,
      )
    }
    const clock = await measureClock(
      async <Row>(text: string) => (await first.client.query(text)).rows as Row[],
    )
    if (pid === announcedPid(first)) return { version, kind: 'direct', identity, clock }
    const second = await open()
    try {
      const kind = (await sharesSessions(first, second)) ? 'transaction' : 'session'
      return { version, kind, identity, clock }
    } finally {
      await second.close()
    }
  } finally {
    await first.close()
  }
}

/** The process number that the first messages of a connection name: PostgreSQL's own, or an invented one of a pooler. */
function announcedPid({ client }: Connection): number | null {
  return (client as unknown as { readonly processID: number | null }).processID
}

/** Other clients of the pooler may take the session in between, so one attempt is not enough. */
const sharingAttempts = 10

/** True when two connections that are open at the same time get the same session, or one of them gets another one. */
async function sharesSessions(first: Connection, second: Connection): Promise<boolean> {
  const pids = new Set<number>()
  for (let attempt = 0; attempt < sharingAttempts; attempt++) {
    const own = await backendPid(first)
    pids.add(own)
    await second.client.query('begin')
    const other = await backendPid(second)
    await second.client.query('rollback')
    if (own === other || pids.size > 1) return true
  }
  return false
}

async function backendPid({ client }: Connection): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
