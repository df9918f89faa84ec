import type { LimitCounts } from '#cluster'
import { kernelFailure } from '#kernel/errors'
import type { LimitRule } from '#kernel/limits'
import type { Logger } from '#kernel/telemetry'
import type { ProcessLink } from './process-link.ts'

/** A call of `LimitCounts` that a process sends to its supervisor. */
export type CountCall =
  | { readonly kind: 'take' | 'read'; readonly key: string; readonly rule: LimitRule }
  | {
      readonly kind: 'add'
      readonly key: string
      readonly windowSeconds: number
      readonly amount: number
    }

/** The count, with its time as text; undefined after `add`. */
export type CountResult =
  | {
      readonly allowed: boolean
      readonly limit: number
      readonly remaining: number
      readonly secondsLeft: number
      readonly resetsAt: string
    }
  | undefined

/** A supervisor without time for its processes must not let requests wait for long. */
const countTimeoutMs = 5000

/**
 * The counts of a process: its supervisor has them, so that a limit holds for all processes together. Rejects with `overloaded` when the
 * supervisor does not respond; an amount that cannot be added is logged.
 */
export function countAtSupervisor(supervisor: ProcessLink, log: Logger): LimitCounts {
  const request = (call: CountCall) => supervisor.request('count', countTimeoutMs, call)

  async function count(call: CountCall) {
    const result = await request(call).catch((cause: unknown) => {
      throw kernelFailure('overloaded', { cause, retryAfterSeconds: 2 })
    })
    if (result === undefined) throw new TypeError('the supervisor keeps no counts')
    return { ...result, resetsAt: new Date(result.resetsAt) }
  }
  return {
    take: (key, rule) => count({ kind: 'take', key, rule }),
    amounts: {
      async add(key, windowSeconds, amount) {
        try {
          await request({ kind: 'add', key, windowSeconds, amount })
        } catch (error) {
          log.error({ err: error }, 'an amount could not be counted against its limit')
        }
      },
      read: (key, rule) => count({ kind: 'read', key, rule }),
    },
  }
}

/** Handles the calls of processes at their supervisor. */
export function handleCounts(counts: LimitCounts): (call: CountCall) => Promise<CountResult> {
  return async (call) => {
    if (call.kind === 'add') {
      await counts.amounts.add(call.key, call.windowSeconds, call.amount)
      return undefined
    }
    const { key, rule } = call
    const count =
      call.kind === 'take'
        ? await counts.take(key, rule)
        : { allowed: true, ...(await counts.amounts.read(key, rule)) }
    return { ...count, resetsAt: count.resetsAt.toISOString() }
  }
}
