import { type CatalogueEntry, costOf } from '#models'
import { type AiPromptStep, callsModels, type Step, sendsPrompt } from '../definition/step-types.ts'
import { quantileMs, spreadOf } from './duration-buckets.ts'
import { confidenceOf, type Estimate, unknownEstimate } from './estimate.ts'
import type { StepSums } from './flow-stats.ts'

/** The estimate of one run of a step. */
export interface StepEstimate {
  readonly stepId: string
  /** Milliseconds. */
  readonly duration: Estimate
  /** Micro-dollars. */
  readonly cost: Estimate
  /** The share of executions in which it runs, 0 to 1: conditions and routing skip steps. 1 without history. */
  readonly runShare: number
}

export interface StepKnowledge {
  /** The sums of this step in executions of its flow. */
  readonly own: StepSums | undefined
  /** The sums of steps of its type in all flows. */
  readonly ofType: StepSums | undefined
  /** Models without a price were used, so costs may be too low. */
  readonly unpriced: boolean
  /** The model it would call now. */
  readonly model: CatalogueEntry | undefined
}

export function estimateStep(step: Step, { own, ofType, unpriced, model }: StepKnowledge): StepEstimate {
  const durations = [learnedDuration(own, 'flow_history'), learnedDuration(ofType, 'step_type_history')]
  const costs = callsModels(step)
    ? [
        learnedCost(own, 'flow_history', unpriced),
        learnedCost(ofType, 'step_type_history', unpriced),
        ...(sendsPrompt(step) ? [priced(step, model)] : []),
      ]
    : [free]
  return {
    stepId: step.id,
    duration: durations.find(isKnown) ?? unknownEstimate,
    cost: costs.find(isKnown) ?? unknownEstimate,
    runShare: runShareOf(own),
  }
}

function isKnown({ value }: Estimate): boolean {
  return value !== null
}

function runShareOf(own: StepSums | undefined): number {
  if (own === undefined) return 1
  const ran = own.completed + own.failed
  return ran + own.skipped <= 0 ? 1 : ran / (ran + own.skipped)
}

function learnedDuration(sums: StepSums | undefined, source: 'flow_history' | 'step_type_history'): Estimate {
  if (sums === undefined || sums.completed <= 0) return unknownEstimate
  const confidence = confidenceOf({ sample: sums.completed, spread: spreadOf(sums.took) })
  return { value: quantileMs(sums.took, 0.5), source, sample: sums.completed, confidence }
}

function learnedCost(
  sums: StepSums | undefined,
  source: 'flow_history' | 'step_type_history',
  unpriced: boolean,
): Estimate {
  if (sums === undefined || sums.completed <= 0) return unknownEstimate
  const { completed, completed_spent: spent } = sums
  // A cost of 0 by models without a price does not mean that the step is free.
  if (spent === 0 && unpriced) return unknownEstimate
  const confidence = confidenceOf({ sample: completed, spread: spreadOf(sums.took) })
  return { value: spent / completed, source, sample: completed, confidence }
}

/** Steps that call no model are free. */
const free: Estimate = { value: 0, source: 'catalogue', sample: 0, confidence: null }

/** Average characters per token. */
const charactersPerToken = 4

/** The maximum cost of a response, from the price of the model and its token limit. */
function priced(
  { prompt, ai_options: options = {} }: AiPromptStep,
  model: CatalogueEntry | undefined,
): Estimate {
  if (model === undefined) return unknownEstimate
  if (model.price.source === 'free') return free
  if (options.max_tokens === undefined) return unknownEstimate
  const characters = prompt.length + (options.system_prompt?.length ?? 0)
  const value = costOf(model.price, {
    inputTokens: Math.ceil(characters / charactersPerToken),
    cachedInputTokens: null,
    outputTokens: options.max_tokens,
  })
  return value === null ? unknownEstimate : { ...free, value }
}
