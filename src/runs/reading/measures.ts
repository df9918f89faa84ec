import { type ExecutionRecord, executionMs } from '#engine'
import { type RanStep, ranSteps, sumOf } from './ran-steps.ts'

/** The numbers of an execution so far, added up once for every part of a body. Times in milliseconds, money in micro-dollars. */
export interface Measures {
  readonly ran: readonly RanStep[]
  readonly succeeded: number
  readonly skipped: number
  /** How long workers executed it, in all or up to now; null before it began. */
  readonly elapsedMs: number | null
  readonly aiMs: number
  readonly apiMs: number
  /** What steps computed here. */
  readonly cpuMs: number
  readonly aiCalls: number
  readonly cacheHits: number
  readonly networkRequests: number
  readonly tokens: number
  /** A model whose price is not known answered: what it cost is not in what was spent. */
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

/** An item failed when a step ended it, and succeeded when all its steps are over and none did. */
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
