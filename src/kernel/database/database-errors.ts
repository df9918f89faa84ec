import { DatabaseError } from 'pg'
import { Failure, kernelFailure } from '#kernel/errors'
import { errorCode, isConnectionLost, tooManyConnections } from '#kernel/postgres'

/** SQLSTATEs of a server that cannot do its work for a cause outside the statement, in words for an operator. */
const serverTroubles: ReadonlyMap<string, string> = new Map([
  ['53100', 'the disk of the database server is full'],
  ['53200', 'the database server is out of memory'],
  [tooManyConnections, 'the database server has no free connection (max_connections)'],
])

const maxCauses = 8

/** The trouble of the server that an error or one of its causes names. */
export function serverTroubleOf(error: unknown): string | undefined {
  let current = error
  for (let depth = 0; depth < maxCauses && current instanceof Error; depth++) {
    const trouble = serverTroubles.get(errorCode(current) ?? '')
    if (trouble !== undefined) return trouble
    current = current.cause
  }
  return undefined
}

/** The failure that callers get while the database cannot be used. The cause goes to the log, not to the caller. */
export function databaseUnavailable(cause?: unknown): Failure {
  return kernelFailure('database_unavailable', cause === undefined ? {} : { cause })
}

/** Turns a lost connection and a trouble of the server into `database_unavailable`; errors of the statement itself stay as they are. */
export function translateConnectionError(error: unknown): unknown {
  return isConnectionLost(error) || serverTroubleOf(error) !== undefined ? databaseUnavailable(error) : error
}

/** True for the failure that callers get while the database is unreachable. Does not throw. */
export function isDatabaseUnavailable(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'database_unavailable'
}

/** SQLSTATEs of a transaction that PostgreSQL ended because of another one: serialization_failure, deadlock_detected. */
const transactionConflicts: ReadonlySet<string> = new Set(['40001', '40P01'])

/** True when PostgreSQL rolled a transaction back because of another one, so that it can be run again. Does not throw. */
export function isTransactionConflict(error: unknown): boolean {
  return transactionConflicts.has(errorCode(error) ?? '')
}

const uniqueViolation = '23505'

/** True when PostgreSQL refused a row because its unique key already exists. Does not throw. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === uniqueViolation
}
