import type { HostAddress } from './connection-target.ts'

/** SQLSTATEs with which the server ends or refuses a connection, besides the whole class 08. */
const lostConnectionStates: ReadonlySet<string> = new Set([
  '25006', // read_only_sql_transaction: the server has become a standby
  '25P03', // idle_in_transaction_session_timeout
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
])

const lostConnectionCodes: ReadonlySet<string> = new Set([
  'EAGAIN', // a Unix socket whose accept queue is full
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // the Unix socket does not exist while the server restarts
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Errors that the driver reports without a code. */
const lostConnectionMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|timeout expired|There was an error establishing an SSL connection)/

/** The `code` of a system or PostgreSQL error; undefined without one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** True when the connection failed, not the statement. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  if (code === undefined) return lostConnectionMessages.test(error.message)
  return code.startsWith('08') || lostConnectionStates.has(code) || lostConnectionCodes.has(code)
}

/** PostgreSQL's code for a connection that could not be opened. */
const cannotConnect = '08001'

export interface HostFailure {
  readonly host: HostAddress
  readonly error: unknown
}

/** No host could be used, each for its own reason; or one host is not of the demanded kind, without `failures`. */
export class NoHostError extends Error {
  override readonly name = 'NoHostError'
  readonly code = cannotConnect
  readonly failures: readonly HostFailure[]

  constructor(message: string, failures: readonly HostFailure[] = []) {
    super(message, { cause: failures.at(-1)?.error })
    this.failures = failures
  }
}

/** The limit of connections of the server is reached. */
export const tooManyConnections = '53300'
