import type { FlowDefinition } from '../definition/flow.ts'
import { readGraph } from '../graph/graph.ts'
import { quantileMs, spreadOf } from './duration-buckets.ts'
import { confidenceOf, type Estimate, joinEstimates, unknownEstimate } from './estimate.ts'
import type { FlowSums } from './figures.ts'
import { longestPathMs } from './longest-path.ts'
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
