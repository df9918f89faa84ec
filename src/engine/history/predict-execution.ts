import type { FlowDefinition } from '../definition/flow.ts'
import { readGraph } from '../graph/graph.ts'
import { type EstimateSource, roundedConfidence } from './estimate.ts'
import type { FlowEstimate } from './flow-estimate.ts'
import { longestPathMs } from './longest-path.ts'

/** The progress of an execution. */
export interface UnderWay {
  readonly definition: FlowDefinition
  readonly estimate: FlowEstimate
  /** Steps with an outcome, including skipped ones. */
  readonly over: readonly { readonly stepId: string; readonly item: number }[]
  readonly running: readonly { readonly stepId: string; readonly item: number; readonly startedAt: Date }[]
  /** How long workers executed it; null: it has not started. */
  readonly elapsedMs: number | null
  /** Micro-dollars. */
  readonly spent: number
  /** Items of its batch; 0 without a batch. */
  readonly items: number
  readonly now: Date
}

export interface Prediction {
  /** Milliseconds until its end; null: unknown. */
  readonly remainingMs: number | null
  /** Micro-dollars it will have cost at its end; null: unknown. */
  readonly finalMicroDollars: number | null
  /** 0 to 1; null when it is not based on history. */
  readonly confidence: number | null
  readonly source: EstimateSource | null
  readonly sample: number
}

/** A step that exceeds its estimate is expected to take this share of it in addition. */
const leastLeft = 0.1

/** Predicts the rest of an execution from the estimates of its steps. */
export function predictExecution(under: UnderWay): Prediction {
  const { duration } = under.estimate
  const { remainingMs, done } = under.items > 0 ? predictBatch(under) : predictSteps(under)
  return {
    remainingMs,
    finalMicroDollars: predictCost(under),
    // The confidence grows as fewer steps remain.
    confidence:
      duration.confidence === null
        ? null
        : roundedConfidence(duration.confidence + (1 - duration.confidence) * done),
    source: duration.source,
    sample: duration.sample,
  }
}

interface Remaining {
  readonly remainingMs: number | null
  /** The share of finished steps, 0 to 1. */
  readonly done: number
}

/** The longest path through the unfinished steps; when the estimate of one is unknown, the rest of the whole estimate. */
function predictSteps({ definition, estimate, over, running, elapsedMs, now }: UnderWay): Remaining {
  const graph = readGraph(definition.steps)
  const isOver = new Set(over.map(({ stepId }) => stepId))
  const begun = new Map(running.map(({ stepId, startedAt: at }) => [stepId, at]))
  const done = isOver.size / Math.max(1, definition.steps.length)
  const left = estimate.steps.filter(
    ({ stepId }) => !isOver.has(stepId) && (begun.has(stepId) || !graph.byId.get(stepId)?.dormant),
  )
  if (left.some(({ duration }) => duration.value === null)) {
    return { remainingMs: leftOf(estimate.duration.value, elapsedMs ?? 0), done }
  }
  const durations = new Map(
    left.map(({ stepId, duration, runShare }) => {
      const at = begun.get(stepId)
      const ms =
        at === undefined
          ? (duration.value ?? 0) * runShare
          : leftOf(duration.value, now.getTime() - at.getTime())
      return [stepId, ms ?? 0]
    }),
  )
  return { remainingMs: longestPathMs(graph, (id) => durations.get(id) ?? 0), done }
}

/** A batch continues at the average pace of its finished items. */
function predictBatch({ definition, estimate, over, items, elapsedMs }: UnderWay): Remaining {
  const done = Math.min(1, over.length / Math.max(1, definition.steps.length * items))
  const whole = estimate.duration.value
  if (done === 0 || elapsedMs === null) return { remainingMs: whole, done }
  return { remainingMs: (elapsedMs / done) * (1 - done), done }
}

function leftOf(expectedMs: number | null, elapsedMs: number): number | null {
  return expectedMs === null ? null : Math.max(expectedMs * leastLeft, expectedMs - elapsedMs)
}

/** What is spent, plus the estimated cost of the remaining steps. */
function predictCost({ definition, estimate, over, spent, items }: UnderWay): number | null {
  const graph = readGraph(definition.steps)
  const batchItems = Math.max(1, items)
  const overOf = new Map<string, number>()
  for (const { stepId } of over) overOf.set(stepId, (overOf.get(stepId) ?? 0) + 1)
  let toCome = 0
  for (const { stepId, cost, runShare } of estimate.steps) {
    const left = batchItems - (overOf.get(stepId) ?? 0)
    if (left <= 0 || (graph.byId.get(stepId)?.dormant && cost.source !== 'flow_history')) continue
    if (cost.value === null) {
      const whole = estimate.cost.value
      return whole === null ? null : Math.max(spent, whole)
    }
    toCome += cost.value * runShare * left
  }
  return spent + toCome
}
