import { Failure, kernelFailure } from '#kernel/errors'

/** SQLSTATEs by which the server ends a connection or refuses a new one: the whole class 08, and these. */
const lostConnectionStates: ReadonlySet<string> = new Set([
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
  'ENOENT', // the Unix socket is not there while the server restarts
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** The driver reports these by their text alone. */
const lostConnectionMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|timeout expired)/

/** The `code` of a system or PostgreSQL error, else undefined. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** True when the connection, and not the statement, is what failed. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  if (code === undefined) return lostConnectionMessages.test(error.message)
  return code.startsWith('08') || lostConnectionStates.has(code) || lostConnectionCodes.has(code)
}

export function databaseUnavailable(cause?: unknown): Failure {
  return kernelFailure('database_unavailable', cause === undefined ? {} : { cause })
}

/** A lost connection becomes `database_unavailable`; errors of the statement itself pass unchanged. */
export function translateConnectionError(error: unknown): unknown {
  return isConnectionLost(error) ? databaseUnavailable(error) : error
}

/** True for the failure callers see while the database is away. */
export function isDatabaseUnavailable(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'database_unavailable'
}
