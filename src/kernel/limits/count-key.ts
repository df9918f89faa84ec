import { createHash } from 'node:crypto'

/** The key of a count in the table: a hash, so that the table contains no account ids or addresses. */
export function countKeyOf(name: string): Buffer {
  return createHash('sha256').update(name).digest()
}
