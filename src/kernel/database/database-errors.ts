import { DatabaseError } from 'pg'
import { Failure, kernelFailure } from '#kernel/errors'

/** SQLSTATEs with which the server ends or refuses a connection, besides the whole class 08. */
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
  'ENOENT', // the Unix socket does not exist while the server restarts
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Errors that the driver reports without a code. */
const lostConnectionMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|timeout expired)/

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

export function databaseUnavailable(cause?: unknown): Failure {
  return kernelFailure('database_unavailable', cause === undefined ? {} : { cause })
}

/** Turns a lost connection into `database_unavailable`; errors of the statement itself stay as they are. */
export function translateConnectionError(error: unknown): unknown {
  return isConnectionLost(error) ? databaseUnavailable(error) : error
}

/** True for the failure that callers get while the database is unreachable. Does not throw. */
export function isDatabaseUnavailable(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'database_unavailable'
}

const uniqueViolation = '23505'

/** True when PostgreSQL refused a row because its unique key already exists. Does not throw. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === uniqueViolation
}
