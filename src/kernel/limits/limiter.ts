import { createBatchWriter, type Database } from '#kernel/database'
import type { Logger, Metrics } from '#kernel/telemetry'
import { type AmountCounter, createAmountCounter } from './amount-counter.ts'
import { countKeyOf } from './count-key.ts'
import { createSharedCounts, type Demand, type Lease, type Unused } from './shared-counts.ts'

/** A limit per window. Integers; the window starts with the first request. */
export interface LimitRule {
  readonly limit: number
  readonly windowSeconds: number
}

/** Counts against limits that all replicas share. */
export interface Limiter extends AsyncDisposable {
  /** Counts once for the key if the limit allows it. Rejects with `database_unavailable` when a lease is needed and cannot be had. */
  take(key: string, rule: LimitRule): Promise<Taken>
  /** Returns the count of a key without counting. Runs a statement each time; rejects with `database_unavailable`. */
  peek(key: string, rule: LimitRule): Promise<Count>
  /** How often each key was counted in its open window, in the order of the keys. Runs one statement; rejects with `database_unavailable`. */
  usedBy(keys: readonly string[], windowSeconds: number): Promise<readonly number[]>
  /** Counts what is known only after the work. */
  readonly amounts: AmountCounter
  /** Gives back unused permits. */
  close(): Promise<void>
}

interface LimiterOptions {
  readonly database: Database
  readonly log: Logger
  readonly metrics: Metrics
  /** Maximum number of keys in memory; the least recently used ones are evicted. */
  readonly maxKeys?: number
}

/** A lease with the limit it was requested under. */
interface RequestedLease {
  readonly lease: Lease
  readonly limit: number
  readonly requestedAtMs: number
}

/** Creates the limiter of this replica. Throws a `TypeError` when `metrics` has its names with other labels. */
export function createLimiter({ database, log, metrics, maxKeys = 50_000 }: LimiterOptions): Limiter {
  const shared = createSharedCounts(database)
  const allowances = createAllowances({ maxKeys, onEvict: (unused) => void giveBack(unused) })
  const leases = createBatchWriter<Allowance, RequestedLease>({ flush: requestLeases, maxItems: 100 })
  const takes = metrics.counter({
    name: 'limits_taken_total',
    help: 'Requests counted against a limit.',
    labels: ['outcome'],
  })
  const leaseStatements = metrics.counter({
    name: 'limits_questions_total',
    help: 'Statements that leased permits from the shared counts.',
  })
  metrics.gauge({
    name: 'limits_keys',
    help: 'Keys in the memory of this process.',
    collect: (gauge) => gauge.set(allowances.size()),
  })
  const [allowed, refused] = [takes.labels('allowed'), takes.labels('refused')]

  /** Concurrent requests for leases share one statement. */
  async function requestLeases(requesting: readonly Allowance[]): Promise<readonly RequestedLease[]> {
    leaseStatements.inc()
    const demands = requesting.map(demandOf)
    const requestedAtMs = performance.now()
    const granted = await shared.lease(demands)
    return granted.map((lease, index) => ({ lease, limit: demands[index]?.limit ?? 0, requestedAtMs }))
  }

  async function requestLease(allowance: Allowance): Promise<void> {
    try {
      do {
        await allowance.returning
        const { lease, limit, requestedAtMs } = await leases.write(allowance)
        returnPermits(
          allowance,
          receiveLease(allowance, lease, { limit, requestedAtMs, nowMs: performance.now() }),
        )
      } while (allowance.waiting.length > 0)
    } catch (error) {
      log.debug({ err: error }, 'could not lease permits of a limit')
      for (const { reject } of allowance.waiting.splice(0)) reject(error)
    } finally {
      allowance.requesting = undefined
    }
  }

  const returnsInProgress = new Set<Promise<void>>()

  function giveBack(unused: readonly Unused[]): Promise<void> {
    const done = shared
      .giveBack(unused)
      // They stay counted as used until their windows end.
      .catch((error: unknown) => log.debug({ err: error }, 'could not give back unused permits'))
      .finally(() => returnsInProgress.delete(done))
    returnsInProgress.add(done)
    return done
  }

  /** The next lease of this allowance waits for this, because the count would still include the permits and refuse too early. */
  function returnPermits(allowance: Allowance, unused: readonly Unused[]): void {
    if (unused.length === 0) return
    const back = giveBack(unused)
    allowance.returning = allowance.returning.then(() => back)
  }

  function allowanceOf(key: string, { limit, windowSeconds }: LimitRule): Allowance {
    const name = nameOf(key, windowSeconds)
    const known = allowances.get(name)
    if (known === undefined)
      return allowances.add(name, createAllowance(countKeyOf(name), limit, windowSeconds))
    if (known.limit !== limit) returnPermits(known, changeLimit(known, limit, performance.now()))
    return known
  }

  function waitForLease(allowance: Allowance): Promise<Taken> {
    return new Promise((resolve, reject) => {
      allowance.waiting.push({ resolve, reject })
      allowance.requesting ??= requestLease(allowance)
    })
  }

  async function take(key: string, rule: LimitRule): Promise<Taken> {
    const allowance = allowanceOf(key, rule)
    const taken = takeLocally(allowance, performance.now()) ?? (await waitForLease(allowance))
    if (needsMore(allowance)) allowance.requesting ??= requestLease(allowance)
    const outcome = taken.allowed ? allowed : refused
    outcome.inc()
    return taken
  }

  async function peek(key: string, { limit, windowSeconds }: LimitRule): Promise<Count> {
    const name = nameOf(key, windowSeconds)
    const allowance = allowances.get(name)
    // Permits in transit would be missing on both sides.
    await allowance?.requesting
    await allowance?.returning
    const { used, endsAt, secondsLeft } = await shared.read(countKeyOf(name), windowSeconds)
    const unused = allowance?.endsAt.getTime() === endsAt.getTime() ? allowance.permits : 0
    return { limit, remaining: Math.max(0, limit - used + unused), resetsAt: endsAt, secondsLeft }
  }

  async function usedBy(keys: readonly string[], windowSeconds: number): Promise<readonly number[]> {
    const names = keys.map((key) => nameOf(key, windowSeconds))
    const hashes = names.map(countKeyOf)
    const counts = await shared.readOpen(hashes)
    return names.map((name, index) => {
      const count = counts.get(hashes[index]?.toString('hex') ?? '')
      if (count === undefined) return 0
      const allowance = allowances.get(name)
      const unused = allowance?.endsAt.getTime() === count.endsAt.getTime() ? allowance.permits : 0
      return Math.max(0, count.used - unused)
    })
  }

  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    await leases.close()
    await Promise.all([...returnsInProgress, giveBack(allowances.clear())])
  }
  const closeOnce = () => (closed ??= close())

  const amounts = createAmountCounter({ database, log })
  return { take, peek, usedBy, amounts, close: closeOnce, [Symbol.asyncDispose]: closeOnce }
}

/** The same key with another window length is a separate count. */
function nameOf(key: string, windowSeconds: number): string {
  return `${windowSeconds} ${key}`
}

/** The allowances of this replica, most recently used last. */
interface Allowances {
  get(name: string): Allowance | undefined
  add(name: string, allowance: Allowance): Allowance
  size(): number
  /** Removes all allowances and returns their unused permits. */
  clear(): readonly Unused[]
}

interface AllowancesOptions {
  readonly maxKeys: number
  /** Receives the unused permits of evicted allowances; without that, many new keys could use up the permits of others. */
  readonly onEvict: (unused: readonly Unused[]) => void
}

function createAllowances({ maxKeys, onEvict }: AllowancesOptions): Allowances {
  const known = new Map<string, Allowance>()

  /** Evicts expired windows, then the least recently used ones until an eighth is free, so that it runs rarely. */
  function evict(): void {
    const nowMs = performance.now()
    for (const [name, allowance] of known) {
      if (nowMs >= allowance.endsAtMs && allowance.requesting === undefined) known.delete(name)
    }
    const unused: Unused[] = []
    for (const [name, allowance] of known) {
      if (known.size <= maxKeys * 0.875) break
      // Requests wait for its lease.
      if (allowance.requesting !== undefined) continue
      known.delete(name)
      unused.push(...unusedPermits(allowance, nowMs))
    }
    onEvict(unused)
  }

  return {
    get(name) {
      const allowance = known.get(name)
      if (allowance === undefined) return undefined
      known.delete(name)
      known.set(name, allowance)
      return allowance
    },
    add(name, allowance) {
      if (known.size >= maxKeys) evict()
      known.set(name, allowance)
      return allowance
    },
    size: () => known.size,
    clear() {
      const nowMs = performance.now()
      const unused = [...known.values()].flatMap((allowance) => unusedPermits(allowance, nowMs))
      known.clear()
      return unused
    },
  }
}

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
