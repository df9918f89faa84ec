import { average, costOf, type RanStep, roundedScore, roundedShare, seconds, sumOf } from '#runs'
import type { StepResult } from '../schemas/parts.ts'

/** What only some types of step tell, and is told here as they told it. */
const ownFields = [
  'conditions_evaluated',
  'routing_decision',
  'api_response_time',
  'api_endpoint',
  'transformations_applied',
  'post_processing_applied',
  'used_fallback',
  'reused_from',
] as const

/** What each step made and took, by its id. In a batch the numbers are those of all items, and `results` is a list by item. */
export function describeStepResults(ran: readonly RanStep[], isBatch: boolean): Record<string, StepResult> {
  const byStep = Map.groupBy(ran, ({ step }) => step.id)
  return Object.fromEntries(
    [...byStep].map(([id, runs]) => [id, isBatch ? describeItems(runs) : describeRun(runs)]),
  )
}

function describeRun(runs: readonly RanStep[]) {
  const [run] = runs
  return { ...describeNumbers(runs), results: run?.outcome.output ?? null, ...ownFieldsOf(run) }
}

function describeItems(runs: readonly RanStep[]) {
  const results: unknown[] = []
  for (const { outcome } of runs) results[outcome.item] = outcome.output
  return {
    ...describeNumbers(runs),
    results: Array.from(results, (result) => result ?? null),
    items_failed: runs.filter(({ outcome }) => outcome.state === 'failed').length,
    ...ownFieldsOf(runs.at(-1)),
  }
}

function describeNumbers(runs: readonly RanStep[]) {
  const last = runs.at(-1)
  const failed = runs.find(({ outcome }) => outcome.error !== null)
  return {
    step_type: last?.step.type ?? '',
    label: last?.step.label ?? null,
    execution_time: seconds(sumOf(runs, ({ ms }) => ms)),
    tokens_used: sumOf(runs, ({ tokens }) => tokens),
    ...costOf(runs.map(({ outcome }) => outcome)),
    success: runs.every(({ outcome }) => outcome.state === 'completed'),
    ai_provider: last?.details.usage.provider ?? null,
    model_used: last?.details.usage.model ?? null,
    confidence: roundedShare(average(runs.flatMap(({ details }) => details.confidence ?? []))),
    quality: roundedScore(average(runs.flatMap(({ details }) => details.quality ?? []))),
    attempts: sumOf(runs, ({ outcome }) => outcome.attempts),
    error: failed?.outcome.error ?? null,
  }
}

function ownFieldsOf(run: RanStep | undefined): Pick<StepResult, (typeof ownFields)[number]> {
  if (run === undefined) return {}
  return Object.fromEntries(
    ownFields.flatMap((field) => (Object.hasOwn(run.details, field) ? [[field, run.details[field]]] : [])),
  )
}
