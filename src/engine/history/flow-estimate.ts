import type { FlowDefinition } from '../definition/flow.ts'
import { type Graph, readGraph } from '../graph/graph.ts'
import { quantileMs, spreadOf } from './duration-buckets.ts'
import {
  confidenceOf,
  type Estimate,
  type EstimateSource,
  joinEstimates,
  roundedConfidence,
  unknownEstimate,
} from './estimate.ts'
import type { FlowSums } from './flow-stats.ts'
import type { StepEstimate } from './step-estimates.ts'

/** The estimate of an execution of a flow. */
export interface FlowEstimate {
  /** Milliseconds from start to end. */
  readonly duration: Estimate
  /** Micro-dollars. */
  readonly cost: Estimate
  /** In the order of the definition. */
  readonly steps: readonly StepEstimate[]
}

/** Items that each run through the whole flow. */
export interface BatchShape {
  readonly items: number
  readonly size: number
  readonly parallel: boolean
}

export interface FlowKnowledge {
  readonly definition: FlowDefinition
  readonly steps: readonly StepEstimate[]
  /** Executions of the flow in the last weeks. */
  readonly own: FlowSums | undefined
  /** The metadata of the flow, about one execution. */
  readonly expected: { readonly durationMs: number | null; readonly microDollars: number | null }
  readonly batch?: BatchShape | undefined
}

/**
 * Estimates from executions of the whole flow; else from its steps, where parallel steps take the time of the longest and their costs
 * add up; else from its metadata. Batches are always estimated from steps, because their number of items differs.
 */
export function estimateFlow(knowledge: FlowKnowledge): FlowEstimate {
  const { steps, own, expected, batch } = knowledge
  const asWhole = batch === undefined && own !== undefined && own.batches === 0 && own.completed > 0
  const items = batch?.items ?? 1
  const rounds = batch === undefined ? 1 : roundsOf(batch)
  return {
    duration: firstKnown(
      asWhole ? wholeDuration(own) : unknownEstimate,
      times(addDurations(knowledge), rounds),
      times(saidByAuthor(expected.durationMs), rounds),
    ),
    cost: firstKnown(
      asWhole ? wholeCost(own) : unknownEstimate,
      times(addCosts(knowledge), items),
      times(saidByAuthor(expected.microDollars), items),
    ),
    steps,
  }
}

function firstKnown(...estimates: readonly Estimate[]): Estimate {
  return estimates.find(({ value }) => value !== null) ?? unknownEstimate
}

function saidByAuthor(value: number | null): Estimate {
  return value === null ? unknownEstimate : { value, source: 'metadata', sample: 0, confidence: null }
}

/** The duration of a batch as a multiple of the duration of one item. */
function roundsOf({ items, size, parallel }: BatchShape): number {
  return parallel ? Math.ceil(items / Math.max(1, size)) : items
}

function times(estimate: Estimate, factor: number): Estimate {
  return estimate.value === null ? estimate : { ...estimate, value: estimate.value * factor }
}

function wholeDuration({ completed, took }: FlowSums): Estimate {
  const confidence = confidenceOf({ sample: completed, spread: spreadOf(took) })
  return { value: quantileMs(took, 0.5), source: 'flow_history', sample: completed, confidence }
}

function wholeCost({ completed, executions, unpriced, ...sums }: FlowSums): Estimate {
  if (unpriced > 0 && (unpriced >= executions || sums.completed_spent === 0)) return unknownEstimate
  const mean = sums.completed_spent / completed
  const variance = Math.max(0, sums.completed_spent_squares / completed - mean ** 2)
  const spread = mean === 0 ? 0 : Math.sqrt(variance) / mean
  return {
    value: mean,
    source: 'flow_history',
    sample: completed,
    confidence: confidenceOf({ sample: completed, spread }),
  }
}

/** Steps that only routing adds are left out, unless history shows how often that happens. */
function usualSteps({ definition, steps }: FlowKnowledge): readonly StepEstimate[] {
  const { byId } = readGraph(definition.steps)
  return steps.filter(
    ({ stepId, duration }) => !byId.get(stepId)?.dormant || duration.source === 'flow_history',
  )
}

function addDurations(knowledge: FlowKnowledge): Estimate {
  const usual = new Map(usualSteps(knowledge).map((step) => [step.stepId, step]))
  const total = longestPathMs(readGraph(knowledge.definition.steps), (id) => {
    const step = usual.get(id)
    return step === undefined ? 0 : (step.duration.value ?? 0) * step.runShare
  })
  return joinEstimates(
    total,
    [...usual.values()].map(({ duration }) => duration),
  )
}

function addCosts(knowledge: FlowKnowledge): Estimate {
  const usual = usualSteps(knowledge)
  const total = usual.reduce((sum, { cost, runShare }) => sum + (cost.value ?? 0) * runShare, 0)
  const costs = usual.map(({ cost }) => cost)
  // Free steps say nothing about the confidence in the cost of the others.
  const publisher = costs.filter(({ value, confidence }) => value !== 0 || confidence !== null)
  return joinEstimates(total, publisher.length > 0 ? publisher : costs)
}

/** The duration of the longest path through the remaining steps, when all ready steps run in parallel. */
function longestPathMs({ nodes, byId }: Graph, durationOf: (id: string) => number): number {
  const known = new Map<string, number>()

  function endOf(id: string): number {
    const before = known.get(id)
    if (before !== undefined) return before
    const starts = [...(byId.get(id)?.after ?? [])].map(endOf)
    const end = Math.max(0, ...starts) + durationOf(id)
    known.set(id, end)
    return end
  }

  return Math.max(0, ...nodes.map(({ id }) => endOf(id)))
}

/** The progress of an execution. */
export interface RunningExecution {
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

interface Prediction {
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
const minShareLeft = 0.1

/** Predicts the rest of an execution from the estimates of its steps. Never throws for a valid definition. */
export function predictExecution(execution: RunningExecution): Prediction {
  const { duration } = execution.estimate
  const { remainingMs, done } = execution.items > 0 ? predictBatch(execution) : predictSteps(execution)
  return {
    remainingMs,
    finalMicroDollars: predictCost(execution),
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
function predictSteps({ definition, estimate, over, running, elapsedMs, now }: RunningExecution): Remaining {
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
function predictBatch({ definition, estimate, over, items, elapsedMs }: RunningExecution): Remaining {
  const done = Math.min(1, over.length / Math.max(1, definition.steps.length * items))
  const whole = estimate.duration.value
  if (done === 0 || elapsedMs === null) return { remainingMs: whole, done }
  return { remainingMs: (elapsedMs / done) * (1 - done), done }
}

function leftOf(expectedMs: number | null, elapsedMs: number): number | null {
  return expectedMs === null ? null : Math.max(expectedMs * minShareLeft, expectedMs - elapsedMs)
}

/** The cost so far, plus the estimated cost of the remaining steps. */
function predictCost({ definition, estimate, over, spent, items }: RunningExecution): number | null {
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
