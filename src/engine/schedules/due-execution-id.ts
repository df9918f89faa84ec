import { createHash } from 'node:crypto'

/**
 * The id of the execution that a schedule starts for one of its times: always the same, so whoever starts it again after a crash
 * finds it there. It sorts by the time, as other ids of executions do by when they were made (version 7).
 */
export function dueExecutionId(scheduleId: string, dueAt: Date): string {
  const hash = createHash('sha256').update(`${scheduleId} ${dueAt.getTime()}`).digest('hex')
  const time = dueAt.getTime().toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 0b0011) | 0b1000).toString(16)
  return [
    time.slice(0, 8),
    time.slice(8, 12),
    `7${hash.slice(0, 3)}`,
    `${variant}${hash.slice(4, 7)}`,
    hash.slice(7, 19),
  ].join('-')
}
