import type { ServiceState } from './service.ts'

/** What is remembered of a service from one probe to the next. */
export interface Standing {
  /** What everybody is told, and since when. */
  readonly state: ServiceState
  readonly since: Date
  readonly believed: ServiceState
  readonly seen: ServiceState
  /** How many probes in a row saw it worse, or better, than is believed. */
  readonly doubts: number
  /** When lately what is believed changed, and when what is seen did. */
  readonly changes: readonly Date[]
  readonly turns: readonly Date[]
  readonly flapping: boolean
}

export interface DampingRules {
  /** Probes in a row that it takes to believe in something worse, or better. */
  readonly worse: number
  readonly better: number
  /** So many changes within this time are too many. */
  readonly flappingChanges: number
  readonly flappingMs: number
}

const rank: Readonly<Record<Exclude<ServiceState, 'unconfigured'>, number>> = {
  online: 0,
  degraded: 1,
  offline: 2,
}

/**
 * What is told of a service after one more probe. One probe may have met a bad moment, so it takes several in a row to change what is
 * believed, and a service that keeps changing is told to be degraded until it has been calm for a while.
 *
 * | believed     | seen                                             | believed then |
 * |--------------|--------------------------------------------------|---------------|
 * | nothing yet  | anything                                         | what is seen  |
 * | anything     | unconfigured, or no longer unconfigured          | what is seen; nothing else is remembered |
 * | anything     | the same                                         | the same      |
 * | anything     | worse, for fewer than `worse` times in a row     | the same      |
 * | anything     | worse, for as many                               | what is seen  |
 * | anything     | better, for fewer than `better` times in a row   | the same      |
 * | anything     | better, for as many                              | what is seen  |
 *
 * | told           | within the time                                                    | told then           |
 * |----------------|--------------------------------------------------------------------|---------------------|
 * | what is believed | `flappingChanges` changes, or twice as many turns of what is seen | degraded (flapping) |
 * | flapping       | anything that is seen turned                                       | degraded (flapping) |
 * | flapping       | nothing turned                                                     | what is believed    |
 *
 * Turns count as well because a service that fails every other probe would never be believed to have changed.
 */
export function judge(
  before: Standing | undefined,
  seen: ServiceState,
  at: Date,
  rules: DampingRules,
): Standing {
  if (before === undefined || seen === 'unconfigured' || before.believed === 'unconfigured') {
    return {
      state: seen,
      since: before?.state === seen ? earlier(before.since, at) : at,
      believed: seen,
      seen,
      doubts: 0,
      changes: [],
      turns: [],
      flapping: false,
    }
  }
  const direction = directionOf(before.believed, seen)
  const goesOn = direction === directionOf(before.believed, before.seen)
  const doubts = direction === 0 ? 0 : goesOn ? before.doubts + 1 : 1
  const isBelieved = direction !== 0 && doubts >= (direction > 0 ? rules.worse : rules.better)
  const recent = (times: readonly Date[], now: boolean) => [
    ...times.filter((time) => time <= at && at.getTime() - time.getTime() < rules.flappingMs),
    ...(now ? [at] : []),
  ]
  const changes = recent(before.changes, isBelieved)
  const turns = recent(before.turns, seen !== before.seen)
  const flapping = before.flapping
    ? turns.length > 0
    : changes.length >= rules.flappingChanges || turns.length >= 2 * rules.flappingChanges
  const believed = isBelieved ? seen : before.believed
  const state = flapping ? 'degraded' : believed
  return {
    state,
    since: state === before.state ? earlier(before.since, at) : at,
    believed,
    seen,
    doubts: isBelieved ? 0 : doubts,
    changes,
    turns,
    flapping,
  }
}

/** Nothing lasts since a time that is yet to come, though the clock may have said so before it was set back. */
function earlier(since: Date, at: Date): Date {
  return since <= at ? since : at
}

/** Above 0 when `to` is worse than `from`, below when it is better. */
function directionOf(from: ServiceState, to: ServiceState): number {
  if (from === 'unconfigured' || to === 'unconfigured') return 0
  return Math.sign(rank[to] - rank[from])
}
