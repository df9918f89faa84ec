import { type ExecutionRecord, executionMs } from '#engine'
import { type RanStep, ranSteps, sumOf } from './ran-steps.ts'

/** The sums of an execution so far, computed once for all parts of a response. Times in milliseconds, money in micro-dollars. */
export interface Measures {
  readonly ran: readonly RanStep[]
  readonly succeeded: number
  readonly skipped: number
  /** The time in which workers ran it, up to now; null before the start. */
  readonly elapsedMs: number | null
  readonly aiMs: number
  readonly apiMs: number
  /** CPU time of steps on this server. */
  readonly cpuMs: number
  readonly aiCalls: number
  readonly cacheHits: number
  readonly networkRequests: number
  readonly tokens: number
  /** Whether a model without a known price was called: its cost is not included. */
  readonly unpriced: boolean
  readonly items: { readonly total: number; readonly succeeded: number; readonly failed: number } | null
}

export function measure(record: ExecutionRecord, now: Date): Measures {
  const ran = ranSteps(record)
  const { outcomes } = record
  return {
    ran,
    succeeded: ran.filter(({ outcome }) => outcome.state === 'completed').length,
    skipped: outcomes.length - ran.length,
    elapsedMs: executionMs(record, now),
    aiMs: sumOf(ran, ({ details }) => details.usage.aiMs),
    apiMs: sumOf(ran, ({ details }) => details.usage.apiMs),
    cpuMs: sumOf(ran, ({ details }) => details.cpu_ms ?? 0),
    aiCalls: sumOf(ran, ({ details }) => details.usage.aiCalls),
    cacheHits: sumOf(ran, ({ details }) => details.usage.cacheHits),
    networkRequests: sumOf(ran, ({ details }) => details.usage.networkRequests),
    tokens: sumOf(ran, ({ tokens }) => tokens),
    unpriced: ran.some(({ outcome }) => outcome.spent === null),
    items: countItems(record, ran),
  }
}

/** An item failed if a step aborted it, and succeeded if all its steps finished without that. */
function countItems(
  { input, definition, outcomes }: ExecutionRecord,
  ran: readonly RanStep[],
): Measures['items'] {
  if (input.batch === undefined) return null
  const failed = new Set(
    ran.flatMap(({ outcome, details }) => (details.aborted === true ? [outcome.item] : [])),
  )
  const over = [...Map.groupBy(outcomes, ({ item }) => item)].filter(
    ([item, steps]) => !failed.has(item) && steps.length === definition.steps.length,
  )
  return { total: input.batch.items.length, succeeded: over.length, failed: failed.size }
}
