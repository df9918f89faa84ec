import { createHash } from 'node:crypto'

/**
 * The id of an execution that is derived from what starts it: a second start after a crash finds the first one. It is a UUIDv7 of the
 * given time, so it sorts by time like other ids of executions. Never throws.
 */
export function derivedExecutionId(at: Date, seed: string): string {
  const hash = createHash('sha256').update(seed).digest('hex')
  const time = at.getTime().toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 0b0011) | 0b1000).toString(16)
  return [
    time.slice(0, 8),
    time.slice(8, 12),
    `7${hash.slice(0, 3)}`,
    `${variant}${hash.slice(4, 7)}`,
    hash.slice(7, 19),
  ].join('-')
}
