import { readCron } from './cron.ts'

/** The timing of a schedule. */
export interface Timing {
  readonly cron: string
  readonly timezone: string
  /** Not before; null: from now on. */
  readonly startsAt: Date | null
  /** Not after; null: without an end. */
  readonly endsAt: Date | null
}

/** Later times are not searched: searching for rare times takes long. */
const furthestMs = 100 * 365.25 * 86_400_000

/** The first time after this one within the window of the schedule; null when there is none. */
export function nextTime(timing: Timing, after: Date): Date | null {
  const [first] = nextTimes(timing, after, 1)
  return first ?? null
}

/** The next times after this one, up to a maximum. */
export function nextTimes({ cron, timezone, startsAt, endsAt }: Timing, after: Date, most: number): Date[] {
  const times = readCron(cron, timezone)
  const found: Date[] = []
  // One millisecond before the start of the window, which is itself a valid time.
  let last = startsAt !== null && startsAt > after ? new Date(startsAt.getTime() - 1) : after
  while (found.length < most) {
    const time = times.next(last)
    if (time === null || (endsAt !== null && time > endsAt)) break
    if (found.length > 0 && time.getTime() - after.getTime() > furthestMs) break
    found.push(time)
    last = time
  }
  return found
}
