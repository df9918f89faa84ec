import { timingSafeEqual } from 'node:crypto'
import { Client, type ClientConfig, DatabaseError } from 'pg'
import { UserError } from '#kernel/errors'
import { type ConnectionTarget, errorCode, isConnectionLost } from '#kernel/postgres'
import { readToken } from './initialise-cluster.ts'
import { type Layout, socketPort } from './layout.ts'
import { databaseName, roleName } from './server-options.ts'

/** Connection options of the embedded server. All are set, so that PG… environment variables have no effect. */
export function embeddedConnection(socketDir: string): ClientConfig {
  return {
    host: socketDir,
    port: socketPort,
    user: roleName,
    database: databaseName,
    password: '',
    ssl: false,
  }
}

/** The same as the target of a connection. */
export function embeddedTarget(socketDir: string): ConnectionTarget {
  return {
    variable: 'TUTTI_DATA_DIR',
    hosts: [{ host: socketDir, port: socketPort }],
    user: roleName,
    database: databaseName,
    password: '',
    passwordFile: undefined,
    tls: { mode: 'disable', rootCertificate: undefined, certificate: undefined, key: undefined },
    connectTimeoutMs: undefined,
    applicationName: 'tutti',
    options: undefined,
    sessionAttributes: 'any',
  }
}

export type Probe =
  | { readonly state: 'ready'; readonly version: string }
  /** The server responds that it is starting, recovering or shutting down. */
  | { readonly state: 'busy' }
  /** The listener closes the connection without a response, which PostgreSQL does only while it crashes. */
  | { readonly state: 'silent' }
  | { readonly state: 'absent' }

/** Identifies the server on the socket. Throws a `UserError` for a server of another folder. */
export async function probeServer(layout: Layout, socketDir: string): Promise<Probe> {
  const client = new Client({
    ...embeddedConnection(socketDir),
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ folder: string; token: string | null; version: string }>(
      `
        select current_setting('data_directory') as folder,
               current_setting('server_version') as version,
               shobj_description(oid, 'pg_database') as token
        from pg_database
        where datname = current_database()
      `,
    )
    const server = rows[0]
    if (server?.folder !== layout.cluster || !sameText(server.token ?? '', readToken(layout.cluster))) {
      throw foreignServer(layout, socketDir)
    }
    return { state: 'ready', version: server.version.split(' ')[0] ?? server.version }
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return { state: 'absent' }
    if (isConnectionLost(error)) return { state: closedByPeer(error) ? 'silent' : 'busy' }
    if (error instanceof DatabaseError) throw foreignServer(layout, socketDir, error)
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

function closedByPeer(error: unknown): boolean {
  return (
    errorCode(error) === undefined &&
    error instanceof Error &&
    error.message.startsWith('Connection terminated')
  )
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function foreignServer({ cluster }: Layout, socketDir: string, cause?: unknown): UserError {
  return new UserError(
    `The PostgreSQL server on the socket in ${socketDir} does not belong to ${cluster}. ` +
      'Stop that server, or set TUTTI_DATA_DIR to another folder.',
    cause === undefined ? {} : { cause },
  )
}
