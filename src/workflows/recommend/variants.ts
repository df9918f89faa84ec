import { allSteps, type FlowDefinition, rulesOf, sendsPrompt } from '#engine'
import { criteria } from '#executions-api'
import { type CatalogueEntry, costOf } from '#models'
import type { AskedModel, Candidate } from './candidate.ts'
import { optionalSteps } from './composition.ts'

type Step = FlowDefinition['steps'][number]

/** A way to run the same flow with another setting. Money in micro-dollars, times in milliseconds. */
export interface Variant {
  readonly variant: 'premium_quality' | 'cheaper_model' | 'without_optional_steps'
  readonly ms: number | null
  readonly cost: number | null
  /** Points of quality lost or gained; null without measurements. */
  readonly quality: {
    readonly kind: 'quality_tradeoff' | 'quality_improvement'
    readonly points: number | null
  }
  readonly description: string
}

/** The available models, and the average quality of their texts from 0 to 100; null where it was not measured. */
export interface Market {
  readonly catalogue: readonly CatalogueEntry[]
  readonly qualityOf: (entry: CatalogueEntry) => number | null
}

/** The variants of a flow whose numbers are known. */
export function variantsOf(candidate: Candidate, market: Market): Variant[] {
  return [...premiumQuality(candidate), ...cheaperModel(candidate, market), ...withoutOptional(candidate)]
}

/** With the quality level `premium`, steps that allow it generate texts of insufficient quality again. */
function premiumQuality({ flow: { definition }, estimate, record }: Candidate): Variant[] {
  const rules = rulesOf(definition, { context: {}, options: {} }, new Date(0))
  const asksAgain = (step: Step) =>
    sendsPrompt(step) && step.retry_config?.retry_on_validation_failure === true && rules.attemptsOf(step) > 1
  const again = allSteps(definition.steps).filter(asksAgain)
  if (again.length === 0) return []
  const more = (of: 'cost' | 'duration') =>
    again.reduce<number | null>((sum, step) => {
      const each = estimate.steps.find(({ stepId }) => stepId === step.id)
      const value = each?.[of].value ?? null
      return sum === null || value === null
        ? null
        : sum + value * (each?.runShare ?? 1) * (rules.attemptsOf(step) - 1)
    }, 0)
  const { premium } = criteria.qualityPoints
  return [
    {
      variant: 'premium_quality',
      ms: add(estimate.duration.value, more('duration')),
      cost: add(estimate.cost.value, more('cost')),
      quality: {
        kind: 'quality_improvement',
        points: record.quality === null ? null : Math.max(0, premium - record.quality.mean),
      },
      description: `With processing_options.quality_level premium, ${tellSteps(again.map(({ id }) => id))} asked again for texts below ${premium} of 100. These are the most it can take.`,
    },
  ]
}

function cheaperModel(candidate: Candidate, { catalogue, qualityOf }: Market): Variant[] {
  const swaps = candidate.models.flatMap((asked) => {
    const cheaper = cheaperFor(asked, catalogue)
    const step = candidate.estimate.steps.find(({ stepId }) => stepId === asked.stepId)
    return cheaper === undefined || step === undefined ? [] : [{ asked, step, ...cheaper }]
  })
  if (swaps.length === 0 || candidate.estimate.cost.value === null) return []
  const saved = swaps.reduce((sum, { step, saved: each }) => sum + each * step.runShare, 0)
  const described = swaps.map(
    ({ asked, entry }) => `"${asked.stepId}" with ${entry.model.id} (${entry.provider})`,
  )
  return [
    {
      variant: 'cheaper_model',
      ms: null,
      cost: Math.max(0, candidate.estimate.cost.value - saved),
      quality: {
        kind: 'quality_tradeoff',
        points: lostPoints(
          swaps.map(({ asked, entry }) => [asked.entry, entry]),
          qualityOf,
        ),
      },
      description: `Answers ${described.join(', ')}. How much longer or shorter that takes is not known.`,
    },
  ]
}

/** The average loss of quality with the other models, over the steps; null unless all models were measured. */
function lostPoints(
  swaps: readonly (readonly [from: CatalogueEntry | undefined, to: CatalogueEntry])[],
  qualityOf: Market['qualityOf'],
): number | null {
  const lost = swaps.map(([from, to]) => {
    const [had, has] = [from === undefined ? null : qualityOf(from), qualityOf(to)]
    return had === null || has === null ? null : had - has
  })
  const known = lost.filter((points) => points !== null)
  if (known.length < swaps.length) return null
  return known.reduce((sum, points) => sum + points, 0) / known.length
}

/** The language model with the lowest cost for the tokens that the step has used. */
function cheaperFor(
  { entry, tokens }: AskedModel,
  catalogue: readonly CatalogueEntry[],
): { readonly entry: CatalogueEntry; readonly saved: number } | undefined {
  if (entry === undefined || tokens === null || entry.provider === 'builtin') return undefined
  const usage = { inputTokens: tokens.input, outputTokens: tokens.output, cachedInputTokens: null }
  const now = costOf(entry.price, usage)
  if (now === null || now === 0) return undefined
  const others = catalogue.flatMap((other) => {
    const cost = costOf(other.price, usage)
    return cost !== null &&
      cost < now &&
      other.provider !== 'builtin' &&
      criteria.canComplete(other.model, tokens)
      ? [{ entry: other, saved: now - cost }]
      : []
  })
  return others.toSorted((left, right) => right.saved - left.saved)[0]
}

/** Turning routing off leaves out the steps that agents add. The saving is known only from past executions. */
function withoutOptional({ flow: { definition }, estimate }: Candidate): Variant[] {
  const optional = new Set(optionalSteps(definition.steps))
  const shown = estimate.steps.filter(
    ({ stepId, duration }) => optional.has(stepId) && duration.source === 'flow_history',
  )
  if (shown.length === 0) return []
  const saved = (of: 'cost' | 'duration') =>
    shown.reduce((sum, step) => sum + (step[of].value ?? 0) * step.runShare, 0)
  const others = estimate.steps.filter(({ stepId }) => !optional.has(stepId))
  const longest = Math.max(0, ...others.map(({ duration }) => duration.value ?? 0))
  const { duration, cost } = estimate
  return [
    {
      variant: 'without_optional_steps',
      ms: duration.value === null ? null : Math.max(longest, duration.value - saved('duration')),
      cost: cost.value === null ? null : Math.max(0, cost.value - saved('cost')),
      quality: { kind: 'quality_tradeoff', points: null },
      description: `With global_configuration.agent_routing_enabled false, ${tellSteps(shown.map(({ stepId }) => stepId))} left out.`,
    },
  ]
}

function tellSteps(ids: readonly string[]): string {
  return `${ids.map((id) => `"${id}"`).join(', ')} ${ids.length === 1 ? 'is' : 'are'}`
}

function add(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right
}
