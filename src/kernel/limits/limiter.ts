import { createHash } from 'node:crypto'
import { createBatchWriter, type Database } from '#kernel/database'
import type { Logger, Metrics } from '#kernel/telemetry'
import {
  type Allowance,
  type Count,
  changeLimit,
  createAllowance,
  demandOf,
  receiveLease,
  runsLow,
  type Taken,
  takeKnown,
} from './allowance.ts'
import { createAllowances } from './allowances.ts'
import { createSharedCounts, type Lease, type Unused } from './shared-counts.ts'

/** How often something may happen. Whole numbers; the window begins with the first time. */
export interface LimitRule {
  readonly limit: number
  readonly windowSeconds: number
}

/** Counts what happens against limits that all replicas share. */
export interface Limiter extends AsyncDisposable {
  /** Counts once for the key, if the limit allows it. Rejects with `database_unavailable` when nobody can tell. */
  take(key: string, rule: LimitRule): Promise<Taken>
  /** Tells the count of a key without counting. Asks the database each time. */
  look(key: string, rule: LimitRule): Promise<Count>
  /** Gives back what was not used. */
  close(): Promise<void>
}

export interface LimiterOptions {
  readonly database: Database
  readonly log: Logger
  readonly metrics: Metrics
  /** Most keys that are remembered here; those used longest ago are let go. */
  readonly mostKeys?: number
}

/** A lease with what it was asked under. */
interface AskedLease {
  readonly lease: Lease
  readonly limit: number
  readonly askedAtMs: number
}

export function createLimiter({ database, log, metrics, mostKeys = 50_000 }: LimiterOptions): Limiter {
  const shared = createSharedCounts(database)
  const allowances = createAllowances({ mostKeys, letGo: (unused) => void giveBack(unused) })
  const leases = createBatchWriter<Allowance, AskedLease>({ flush: askForAll, maxItems: 100 })
  const takes = metrics.counter({
    name: 'limits_taken_total',
    help: 'Requests that were counted against a limit.',
    labels: ['outcome'],
  })
  const questions = metrics.counter({
    name: 'limits_questions_total',
    help: 'Statements that asked the shared counts for permits.',
  })
  metrics.gauge({
    name: 'limits_keys',
    help: 'Keys whose count is remembered by this process.',
    collect: (gauge) => gauge.set(allowances.size()),
  })
  const [allowed, refused] = [takes.labels('allowed'), takes.labels('refused')]

  /** Whoever needs a lease at this moment shares one statement. */
  async function askForAll(asking: readonly Allowance[]): Promise<readonly AskedLease[]> {
    questions.inc()
    const demands = asking.map(demandOf)
    const askedAtMs = performance.now()
    const answers = await shared.lease(demands)
    return answers.map((lease, index) => ({ lease, limit: demands[index]?.limit ?? 0, askedAtMs }))
  }

  async function ask(allowance: Allowance): Promise<void> {
    try {
      do {
        await allowance.returning
        const { lease, limit, askedAtMs } = await leases.write(allowance)
        giveBackOf(allowance, receiveLease(allowance, lease, { limit, askedAtMs, nowMs: performance.now() }))
      } while (allowance.waiting.length > 0)
    } catch (error) {
      log.debug({ err: error }, 'the shared count of a limit did not answer')
      for (const { reject } of allowance.waiting.splice(0)) reject(error)
    } finally {
      allowance.asking = undefined
    }
  }

  const givingBack = new Set<Promise<void>>()

  function giveBack(unused: readonly Unused[]): Promise<void> {
    const done = shared
      .giveBack(unused)
      // They stay counted as used, until their windows end.
      .catch((error: unknown) => log.debug({ err: error }, 'unused permits could not be given back'))
      .finally(() => givingBack.delete(done))
    givingBack.add(done)
    return done
  }

  /** The next lease of this allowance waits for it: else the count would still have the permits, and refuse too early. */
  function giveBackOf(allowance: Allowance, unused: readonly Unused[]): void {
    if (unused.length === 0) return
    const back = giveBack(unused)
    allowance.returning = allowance.returning.then(() => back)
  }

  function allowanceOf(key: string, { limit, windowSeconds }: LimitRule): Allowance {
    const name = nameOf(key, windowSeconds)
    const known = allowances.get(name)
    if (known === undefined) return allowances.add(name, createAllowance(hashOf(name), limit, windowSeconds))
    if (known.limit !== limit) giveBackOf(known, changeLimit(known, limit, performance.now()))
    return known
  }

  function waitForAnswer(allowance: Allowance): Promise<Taken> {
    return new Promise((resolve, reject) => {
      allowance.waiting.push({ resolve, reject })
      allowance.asking ??= ask(allowance)
    })
  }

  async function take(key: string, rule: LimitRule): Promise<Taken> {
    const allowance = allowanceOf(key, rule)
    const taken = takeKnown(allowance, performance.now()) ?? (await waitForAnswer(allowance))
    if (runsLow(allowance)) allowance.asking ??= ask(allowance)
    const outcome = taken.allowed ? allowed : refused
    outcome.inc()
    return taken
  }

  async function look(key: string, { limit, windowSeconds }: LimitRule): Promise<Count> {
    const name = nameOf(key, windowSeconds)
    const allowance = allowances.get(name)
    // Permits on their way would be missing on both sides.
    await allowance?.asking
    await allowance?.returning
    const { used, endsAt, secondsLeft } = await shared.read(hashOf(name), windowSeconds)
    const ours = allowance?.endsAt.getTime() === endsAt.getTime() ? allowance.permits : 0
    return { limit, remaining: Math.max(0, limit - used + ours), resetsAt: endsAt, secondsLeft }
  }

  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    await leases.close()
    await Promise.all([...givingBack, giveBack(allowances.clear())])
  }
  const closeOnce = () => (closed ??= close())

  return { take, look, close: closeOnce, [Symbol.asyncDispose]: closeOnce }
}

/** The same key in another window is another count. */
function nameOf(key: string, windowSeconds: number): string {
  return `${windowSeconds} ${key}`
}

function hashOf(name: string): Buffer {
  return createHash('sha256').update(name).digest()
}
