import { readCron } from './cron.ts'

/** When a schedule is to run. */
export interface Timing {
  readonly cron: string
  readonly timezone: string
  /** Not before; null: from now on. */
  readonly startsAt: Date | null
  /** Not after; null: for ever. */
  readonly endsAt: Date | null
}

/** Times further ahead are nobody's plan, and looking for rare ones takes long. */
const furthestMs = 100 * 365.25 * 86_400_000

/** The first time after this one that lies in the window of the schedule; null when none does. */
export function nextTime(timing: Timing, after: Date): Date | null {
  const [first] = nextTimes(timing, after, 1)
  return first ?? null
}

/** The next times after this one, as many as there are. */
export function nextTimes({ cron, timezone, startsAt, endsAt }: Timing, after: Date, most: number): Date[] {
  const times = readCron(cron, timezone)
  const found: Date[] = []
  // A millisecond before it begins, because the very moment counts.
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
