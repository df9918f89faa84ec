import { DatabaseError } from 'pg'

const uniqueViolation = '23505'

/** Whether a row was refused because there is one of its key already. */
export function isTaken(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === uniqueViolation
}
