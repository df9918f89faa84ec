import { type CatalogueEntry, costOf } from '#models'
import { type AiPromptStep, asksModels, type Step } from '../definition/step-types.ts'
import { quantileMs, spreadOf } from './duration-buckets.ts'
import { confidenceOf, type Estimate, nobodyKnows } from './estimate.ts'
import type { StepSums } from './figures.ts'

/** What one step is likely to take each time it runs. */
export interface StepEstimate {
  readonly stepId: string
  /** Milliseconds. */
  readonly duration: Estimate
  /** Micro-dollars. */
  readonly cost: Estimate
  /** How often it runs when its flow does, 0 to 1: conditions and routing leave steps out. 1 without history. */
  readonly runShare: number
}

export interface StepKnowledge {
  /** This step in executions of its flow. */
  readonly own: StepSums | undefined
  /** Steps of its type in all flows. */
  readonly ofType: StepSums | undefined
  /** Models without a price were asked, so that sums of money may be too low. */
  readonly unpriced: boolean
  /** The model it would ask now. */
  readonly model: CatalogueEntry | undefined
}

export function estimateStep(step: Step, { own, ofType, unpriced, model }: StepKnowledge): StepEstimate {
  const durations = [learnedDuration(own, 'flow_history'), learnedDuration(ofType, 'step_type_history')]
  const costs = asksModels(step)
    ? [
        learnedCost(own, 'flow_history', unpriced),
        learnedCost(ofType, 'step_type_history', unpriced),
        ...(step.type === 'ai_prompt' ? [priced(step, model)] : []),
      ]
    : [free]
  return {
    stepId: step.id,
    duration: durations.find(isKnown) ?? nobodyKnows,
    cost: costs.find(isKnown) ?? nobodyKnows,
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
  if (sums === undefined || sums.completed <= 0) return nobodyKnows
  const confidence = confidenceOf({ sample: sums.completed, spread: spreadOf(sums.took) })
  return { value: quantileMs(sums.took, 0.5), source, sample: sums.completed, confidence }
}

function learnedCost(
  sums: StepSums | undefined,
  source: 'flow_history' | 'step_type_history',
  unpriced: boolean,
): Estimate {
  if (sums === undefined || sums.completed <= 0) return nobodyKnows
  const { completed, completed_spent: spent } = sums
  // Nothing spent by models of which nobody knows the price is not the same as free.
  if (spent === 0 && unpriced) return nobodyKnows
  const confidence = confidenceOf({ sample: completed, spread: spreadOf(sums.took) })
  return { value: spent / completed, source, sample: completed, confidence }
}

/** Steps that ask no model cost nothing, and that is known. */
const free: Estimate = { value: 0, source: 'catalogue', sample: 0, confidence: null }

/** Characters of a token in a usual text. */
const charactersPerToken = 4

/** What its price says, when it is said how much the model may write: the most an answer to this prompt costs. */
function priced(
  { prompt, ai_options: options = {} }: AiPromptStep,
  model: CatalogueEntry | undefined,
): Estimate {
  if (model === undefined) return nobodyKnows
  if (model.price.source === 'free') return free
  if (options.max_tokens === undefined) return nobodyKnows
  const characters = prompt.length + (options.system_prompt?.length ?? 0)
  const value = costOf(model.price, {
    inputTokens: Math.ceil(characters / charactersPerToken),
    cachedInputTokens: null,
    outputTokens: options.max_tokens,
  })
  return value === null ? nobodyKnows : { ...free, value }
}
