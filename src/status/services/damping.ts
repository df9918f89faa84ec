import type { ServiceState } from './service.ts'

/** The damped status of a service, stored from one probe to the next. */
export interface DampedStatus {
  /** The reported state and its start. */
  readonly state: ServiceState
  readonly since: Date
  readonly believed: ServiceState
  readonly seen: ServiceState
  /** Consecutive probes that were worse, or better, than the believed state. */
  readonly doubts: number
  /** Recent changes of the believed state, and of the probed state. */
  readonly changes: readonly Date[]
  readonly turns: readonly Date[]
  readonly flapping: boolean
}

export interface DampingRules {
  /** Consecutive probes needed for a worse, or better, state. */
  readonly worse: number
  readonly better: number
  /** This many changes within this time are flapping. */
  readonly flappingChanges: number
  readonly flappingMs: number
}

const rank: Readonly<Record<Exclude<ServiceState, 'unconfigured'>, number>> = {
  online: 0,
  degraded: 1,
  offline: 2,
}

/**
 * The status of a service after one more probe. A single probe may be an outlier, so it takes several in a row to change the believed state;
 * a flapping service is reported as degraded until it has been stable for some time.
 *
 * | believed     | probe                                            | believed next |
 * |--------------|--------------------------------------------------|---------------|
 * | none yet     | any                                              | the probe     |
 * | any          | unconfigured, or no longer unconfigured          | the probe; the memory is reset |
 * | any          | the same                                         | unchanged     |
 * | any          | worse, fewer than `worse` times in a row         | unchanged     |
 * | any          | worse, `worse` times in a row                    | the probe     |
 * | any          | better, fewer than `better` times in a row       | unchanged     |
 * | any          | better, `better` times in a row                  | the probe     |
 *
 * | reported       | within `flappingMs`                                                | reported next       |
 * |----------------|--------------------------------------------------------------------|---------------------|
 * | believed state | `flappingChanges` changes, or twice as many turns of the probes     | degraded (flapping) |
 * | flapping       | any turn of the probes                                             | degraded (flapping) |
 * | flapping       | no turn                                                            | believed state      |
 *
 * Turns count because a service that fails every other probe never changes its believed state.
 */
export function dampStatus(
  before: DampedStatus | undefined,
  seen: ServiceState,
  at: Date,
  rules: DampingRules,
): DampedStatus {
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

/** After the clock is set back, a stored time may lie in the future. */
function earlier(since: Date, at: Date): Date {
  return since <= at ? since : at
}

/** Above 0 when `to` is worse than `from`, below when it is better. */
function directionOf(from: ServiceState, to: ServiceState): number {
  if (from === 'unconfigured' || to === 'unconfigured') return 0
  return Math.sign(rank[to] - rank[from])
}
