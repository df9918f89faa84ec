import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { countKeyOf } from './count-key.ts'
import type { Count, LimitRule } from './limiter.ts'
import { createSharedCounts } from './shared-counts.ts'

/**
 * Counts amounts that are known only after the work, such as the tokens of a model call, in windows that all replicas share. The amounts
 * may exceed the limit; then it is used up until the window ends.
 */
export interface AmountCounter {
  /** Adds an amount to the window of the key, which starts with the first amount. Resolves when it is stored; a failure is logged. */
  add(key: string, windowSeconds: number, amount: number): Promise<void>
  /** Returns the count of a key, with all amounts that this replica has added. Rejects with `database_unavailable`. */
  read(key: string, rule: LimitRule): Promise<Count>
}

interface UsedUp extends Count {
  readonly endsAtMs: number
}

const maxUsedUp = 10_000

/** Creates the counter of this replica. Does not throw. */
export function createAmountCounter({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Logger
}): AmountCounter {
  const shared = createSharedCounts(database)
  const adding = new Map<string, Promise<void>>()
  const reading = new Map<string, Promise<Count>>()
  /** Limits without a rest, so that refusing a flood of requests needs no statement. */
  const usedUp = new Map<string, UsedUp>()

  async function store(name: string, windowSeconds: number, amount: number): Promise<void> {
    try {
      await shared.add(countKeyOf(name), { windowSeconds, amount })
    } catch (error) {
      log.error({ err: error }, 'an amount could not be counted against its limit')
    }
  }

  async function readShared(name: string, { limit, windowSeconds }: LimitRule): Promise<Count> {
    await adding.get(name)
    const startedMs = performance.now()
    const { used, endsAt, secondsLeft } = await shared.read(countKeyOf(name), windowSeconds)
    const count = { limit, remaining: Math.max(0, limit - used), resetsAt: endsAt, secondsLeft }
    if (count.remaining === 0) {
      usedUp.delete(name)
      usedUp.set(name, { ...count, endsAtMs: startedMs + secondsLeft * 1000 })
      const [oldest] = usedUp.keys()
      if (usedUp.size > maxUsedUp && oldest !== undefined) usedUp.delete(oldest)
    }
    return count
  }

  return {
    async add(key, windowSeconds, amount) {
      const name = `${windowSeconds} ${key}`
      const before = adding.get(name) ?? Promise.resolve()
      const added = before.then(() => store(name, windowSeconds, amount))
      adding.set(name, added)
      await added
      if (adding.get(name) === added) adding.delete(name)
    },

    async read(key, rule) {
      const name = `${rule.windowSeconds} ${key}`
      const known = usedUp.get(name)
      // A changed limit may leave a rest.
      if (known !== undefined && known.limit === rule.limit) {
        const leftMs = known.endsAtMs - performance.now()
        if (leftMs > 0) return { ...known, secondsLeft: leftMs / 1000 }
        usedUp.delete(name)
      }
      // A running statement may not include an amount that is being added.
      const running = adding.has(name) ? undefined : reading.get(name)
      if (running !== undefined) return { ...(await running), limit: rule.limit }
      const started = readShared(name, rule).finally(() => {
        if (reading.get(name) === started) reading.delete(name)
      })
      reading.set(name, started)
      return await started
    },
  }
}
