import type { Demand, Lease, Unused } from './shared-counts.ts'

/** The state of a limit. */
export interface Count {
  readonly limit: number
  readonly remaining: number
  /** The end of the window by the clock of the database, the same on every replica. */
  readonly resetsAt: Date
  readonly secondsLeft: number
}

/** The result of one `take`. */
export interface Taken extends Count {
  readonly allowed: boolean
}

interface Waiter {
  readonly resolve: (taken: Taken) => void
  readonly reject: (error: unknown) => void
}

/**
 * The permits of this replica for one key, which it may use without a statement:
 *
 * | state     | on                                    | next                                                            |
 * |-----------|---------------------------------------|-----------------------------------------------------------------|
 * | unknown   | a request                             | the request waits for a lease, which all waiting requests share |
 * | stocked   | a request                             | admitted; with a quarter of the lease left, more is requested   |
 * | empty     | a request                             | as unknown                                                      |
 * | exhausted | a request                             | refused                                                         |
 * | any       | the window ends, or the limit changes | unknown                                                         |
 */
export interface Allowance {
  readonly key: Buffer
  readonly windowSeconds: number
  limit: number
  /** Leased permits that are not used yet. */
  permits: number
  leaseSize: number
  /** Remaining permits of the shared count at the last lease. Zero: exhausted. */
  sharedLeft: number
  /** Requests that this replica admitted in this window. */
  admitted: number
  endsAt: Date
  /** On the local monotonic clock, and never after the end of the window. In the past: unknown. */
  endsAtMs: number
  waiting: Waiter[]
  /** Set while a lease is being requested. */
  requesting: Promise<void> | undefined
  /** Resolves when the permits of a changed limit are back in the shared count. */
  returning: Promise<void>
}

/** Maximum number of permits leased ahead, which are lost if the replica dies. */
const maxAhead = 32

/** Enough for a second request, and few enough not to affect other replicas. */
const minAhead = 2

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
    requesting: undefined,
    returning: Promise.resolve(),
  }
}

/** Changes the limit. Returns the unused permits to give back, because they might exceed a lower limit. */
export function changeLimit(allowance: Allowance, limit: number, nowMs: number): readonly Unused[] {
  const unused = unusedPermits(allowance, nowMs)
  allowance.limit = limit
  allowance.permits = 0
  allowance.endsAtMs = Number.NEGATIVE_INFINITY
  return unused
}

/** Admits or refuses a request locally; undefined when a lease is needed. */
export function takeLocally(allowance: Allowance, nowMs: number): Taken | undefined {
  if (nowMs >= allowance.endsAtMs) return undefined
  if (allowance.permits > 0) return admit(allowance, nowMs)
  return allowance.sharedLeft === 0 ? resultOf(allowance, false, nowMs) : undefined
}

/** Whether to request a further lease already. The last few permits of the shared count are only leased when needed. */
export function needsMore({ permits, leaseSize, sharedLeft, requesting }: Allowance): boolean {
  return permits * 4 <= leaseSize && sharedLeft >= 4 && requesting === undefined
}

/** Leases as many permits ahead as this replica admitted, so that idle replicas lease almost none. */
export function demandOf({ key, limit, windowSeconds, waiting, admitted }: Allowance): Demand {
  const ahead = Math.min(Math.max(admitted, minAhead), maxAhead)
  return { key, limit, windowSeconds, needed: waiting.length, ahead }
}

/**
 * Adds a lease that was requested at `requestedAtMs` under `limit`, and admits waiting requests. Returns the permits to give back when the
 * limit has changed since.
 */
export function receiveLease(
  allowance: Allowance,
  lease: Lease,
  {
    limit,
    requestedAtMs,
    nowMs,
  }: { readonly limit: number; readonly requestedAtMs: number; readonly nowMs: number },
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
  // Counted from the time of the request, so that the local window never ends after the shared one.
  allowance.endsAtMs = requestedAtMs + lease.secondsLeft * 1000
  settleWaiting(allowance, nowMs)
  return []
}

/** A permit granted to a waiting request stays valid even if the window has ended meanwhile. */
function settleWaiting(allowance: Allowance, nowMs: number): void {
  const { waiting } = allowance
  const admitted = waiting.splice(0, allowance.permits)
  for (const { resolve } of admitted) resolve(admit(allowance, nowMs))
  if (allowance.sharedLeft > 0) return
  for (const { resolve } of waiting.splice(0)) resolve(resultOf(allowance, false, nowMs))
}

/** The permits that other replicas could still use. */
export function unusedPermits(
  { key, permits, endsAt, endsAtMs }: Allowance,
  nowMs: number,
): readonly Unused[] {
  return permits > 0 && nowMs < endsAtMs ? [{ key, permits, endsAt }] : []
}

function admit(allowance: Allowance, nowMs: number): Taken {
  allowance.permits -= 1
  allowance.admitted += 1
  return resultOf(allowance, true, nowMs)
}

function resultOf(
  { limit, permits, sharedLeft, endsAt, endsAtMs }: Allowance,
  allowed: boolean,
  nowMs: number,
): Taken {
  const secondsLeft = Math.max(0, endsAtMs - nowMs) / 1000
  return { allowed, limit, remaining: permits + sharedLeft, resetsAt: endsAt, secondsLeft }
}
