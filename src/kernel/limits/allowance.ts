import type { Demand, Lease, Unused } from './shared-counts.ts'

/** How much of a limit is left. */
export interface Count {
  readonly limit: number
  readonly remaining: number
  /** When the window ends, by the database's clock: every replica says the same. */
  readonly resetsAt: Date
  readonly secondsLeft: number
}

/** The answer to one request. */
export interface Taken extends Count {
  readonly allowed: boolean
}

interface Waiter {
  readonly resolve: (taken: Taken) => void
  readonly reject: (error: unknown) => void
}

/**
 * What this replica may admit for one key, without asking anybody:
 *
 * | state   | on                                   | next                                                           |
 * |---------|--------------------------------------|----------------------------------------------------------------|
 * | unknown | a request                            | it waits while the shared count is asked, once for all who wait |
 * | stocked | a request                            | admitted; with a quarter of the lease left, more is asked for   |
 * | empty   | a request                            | as unknown                                                     |
 * | used up | a request                            | refused                                                        |
 * | any     | the window ends, or the limit changes | unknown                                                        |
 */
export interface Allowance {
  readonly key: Buffer
  readonly windowSeconds: number
  limit: number
  /** Ours to spend. */
  permits: number
  leaseSize: number
  /** What the shared count had left when it was last asked. Zero: used up. */
  sharedLeft: number
  /** Admitted here in this window. */
  admitted: number
  endsAt: Date
  /** On our own steady clock, and never later than the window's end. In the past: unknown. */
  endsAtMs: number
  waiting: Waiter[]
  /** Under way while the shared count is being asked. */
  asking: Promise<void> | undefined
  /** Resolves when the permits of a limit that was changed are back in the shared count. */
  returning: Promise<void>
}

/** Most permits taken ahead of need: what a replica that dies can take with it. */
const mostAhead = 32

/** Enough that a second request finds a permit, few enough that a single one costs the others nothing. */
const leastAhead = 2

export function createAllowance(key: Buffer, limit: number, windowSeconds: number): Allowance {
  return {
    key,
    windowSeconds,
    limit,
    permits: 0,
    leaseSize: 0,
    sharedLeft: 0,
    admitted: 0,
    endsAt: new Date(0),
    endsAtMs: Number.NEGATIVE_INFINITY,
    waiting: [],
    asking: undefined,
    returning: Promise.resolve(),
  }
}

/** Permits that were granted under another limit might pass a lower one. They are answered, to be given back. */
export function changeLimit(allowance: Allowance, limit: number, nowMs: number): readonly Unused[] {
  const unused = unusedOf(allowance, nowMs)
  allowance.limit = limit
  allowance.permits = 0
  allowance.endsAtMs = Number.NEGATIVE_INFINITY
  return unused
}

/** Answers from what is known here, or not at all when the shared count has to be asked. */
export function takeKnown(allowance: Allowance, nowMs: number): Taken | undefined {
  if (nowMs >= allowance.endsAtMs) return undefined
  if (allowance.permits > 0) return admit(allowance, nowMs)
  return allowance.sharedLeft === 0 ? answer(allowance, false, nowMs) : undefined
}

/** Whether more should be asked for while there is still some. The last few are only taken when they are needed. */
export function runsLow({ permits, leaseSize, sharedLeft, asking }: Allowance): boolean {
  return permits * 4 <= leaseSize && sharedLeft >= 4 && asking === undefined
}

/** Who asks much gets much: as many ahead as were admitted here, so that idle replicas hold next to nothing. */
export function demandOf({ key, limit, windowSeconds, waiting, admitted }: Allowance): Demand {
  const ahead = Math.min(Math.max(admitted, leastAhead), mostAhead)
  return { key, limit, windowSeconds, needed: waiting.length, ahead }
}

/**
 * Takes in a lease that was asked for at `askedAtMs` under `limit`, and admits those who wait as far as it goes. Answers the permits
 * of a lease whose limit has changed since, to be given back.
 */
export function receiveLease(
  allowance: Allowance,
  lease: Lease,
  { limit, askedAtMs, nowMs }: { readonly limit: number; readonly askedAtMs: number; readonly nowMs: number },
): readonly Unused[] {
  if (limit !== allowance.limit) {
    const { granted: permits, endsAt } = lease
    return permits > 0 ? [{ key: allowance.key, permits, endsAt }] : []
  }
  const sameWindow = lease.endsAt.getTime() === allowance.endsAt.getTime()
  allowance.permits = (sameWindow ? allowance.permits : 0) + lease.granted
  if (!sameWindow) allowance.admitted = 0
  allowance.leaseSize = lease.granted
  allowance.sharedLeft = Math.max(0, limit - lease.used)
  allowance.endsAt = lease.endsAt
  // Counted from before the question: on our clock the window must not outlive the shared one.
  allowance.endsAtMs = askedAtMs + lease.secondsLeft * 1000
  answerWaiting(allowance, nowMs)
  return []
}

/** A permit that was granted to somebody who waited is theirs, even when the window ended on the way. */
function answerWaiting(allowance: Allowance, nowMs: number): void {
  const { waiting } = allowance
  const admitted = waiting.splice(0, allowance.permits)
  for (const { resolve } of admitted) resolve(admit(allowance, nowMs))
  if (allowance.sharedLeft > 0) return
  for (const { resolve } of waiting.splice(0)) resolve(answer(allowance, false, nowMs))
}

/** What others could still use, were it given back. */
export function unusedOf({ key, permits, endsAt, endsAtMs }: Allowance, nowMs: number): readonly Unused[] {
  return permits > 0 && nowMs < endsAtMs ? [{ key, permits, endsAt }] : []
}

function admit(allowance: Allowance, nowMs: number): Taken {
  allowance.permits -= 1
  allowance.admitted += 1
  return answer(allowance, true, nowMs)
}

function answer(
  { limit, permits, sharedLeft, endsAt, endsAtMs }: Allowance,
  allowed: boolean,
  nowMs: number,
): Taken {
  const secondsLeft = Math.max(0, endsAtMs - nowMs) / 1000
  return { allowed, limit, remaining: permits + sharedLeft, resetsAt: endsAt, secondsLeft }
}
