import { UserError } from '#kernel/errors'
import type { ConnectionTarget } from '#kernel/postgres'
import type { ClockMeasurement } from './clock.ts'
import { type InspectedServer, inspectServer } from './inspect-server.ts'
import type { DatabaseSettings } from './settings.ts'

/** The addresses of a server: for the pool, and for connections that need a session of their own. */
export interface Targets {
  readonly version: string
  readonly pool: ConnectionTarget
  /** True when a pooler is in front of the pool: it refuses the parameters of a session. */
  readonly isPooled: boolean
  readonly direct: ConnectionTarget
  readonly clock: ClockMeasurement | undefined
}

/** Connects to the addresses of the settings and checks that they can be used as they are. Throws a `UserError` if not. */
export async function findTargets(
  settings: DatabaseSettings,
  databaseUrl: ConnectionTarget,
): Promise<Targets> {
  const { connectWaitMs, passwordFile, directUrl } = settings
  const pool = withPasswordFile(databaseUrl, passwordFile)
  const direct = directUrl === undefined ? pool : withPasswordFile(directUrl, passwordFile)
  const server = await inspectServer(pool, connectWaitMs)
  if (directUrl === undefined && server.kind === 'transaction') {
    throw new UserError(
      'DATABASE_URL: a connection pooler in transaction mode is in front of PostgreSQL, where notifications, session locks and migrations do not work. ' +
        'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself; DATABASE_URL may stay the pooler.',
    )
  }
  const directServer = directUrl === undefined ? server : await inspectServer(direct, connectWaitMs)
  if (directUrl !== undefined) checkDirect(server, directServer)
  checkOptions(pool, server)
  checkOptions(direct, directServer)
  return {
    version: server.version,
    pool: withoutJit(pool, server),
    isPooled: server.kind !== 'direct',
    direct: withoutJit(direct, directServer),
    clock: server.clock,
  }
}

/** Settings for a server have no effect on the embedded database. Throws a `UserError` when there is one. */
export function refuseServerSettings({ directUrl, passwordFile }: DatabaseSettings): void {
  const given = directUrl === undefined ? passwordFile && 'DATABASE_PASSWORD_FILE' : 'DATABASE_DIRECT_URL'
  if (given !== undefined && given !== '') {
    throw new UserError(`${given} is set without DATABASE_URL. Set DATABASE_URL too, or remove ${given}.`)
  }
}

function withPasswordFile(target: ConnectionTarget, passwordFile: string | undefined): ConnectionTarget {
  if (passwordFile === undefined) return target
  if (target.password !== undefined) {
    throw new UserError(
      `${target.variable} contains a password and DATABASE_PASSWORD_FILE is set too. Remove one of them.`,
    )
  }
  return { ...target, passwordFile }
}

function checkDirect(server: InspectedServer, direct: InspectedServer): void {
  if (direct.kind === 'transaction') {
    throw new UserError(
      'DATABASE_DIRECT_URL: a connection pooler in transaction mode is in front of PostgreSQL here too. Use the address of PostgreSQL itself.',
    )
  }
  if (direct.identity !== server.identity) {
    throw new UserError(
      'DATABASE_DIRECT_URL leads to another server or database than DATABASE_URL. Both must lead to the same database.',
    )
  }
}

/**
 * Statements are short; compiling one takes up to a second, and a server does it by the estimated cost of all partitions. The embedded
 * server has it off. Options of the address come later, so they win. A pooler accepts none: there the role has to have it.
 */
function withoutJit(target: ConnectionTarget, { kind }: InspectedServer): ConnectionTarget {
  if (kind !== 'direct') return target
  return { ...target, options: ['-c jit=off', target.options ?? ''].join(' ').trim() }
}

function checkOptions({ variable, options }: ConnectionTarget, { kind }: InspectedServer): void {
  if (options === undefined || kind === 'direct') return
  throw new UserError(
    `${variable}: a connection pooler does not pass on options. Remove them and set them for the role: alter role … set …`,
  )
}
