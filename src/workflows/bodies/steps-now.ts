import type { ExecutionRecord, Step } from '#engine'
import { costOf, describeIndicators, type Expectation, epochSeconds, type Measures, seconds } from '#runs'

/** The step that has been under way longest; null when none is. */
export function describeCurrentStep({ live, definition }: ExecutionRecord, now: Date) {
  const [current] = live
  if (current === undefined) return null
  const step = definition.steps.find(({ id }) => id === current.stepId)
  const model = step?.type === 'ai_prompt' ? (step.ai_options?.model ?? null) : null
  return {
    step_id: current.stepId,
    step_type: step?.type ?? '',
    status: 'processing' as const,
    started_at: epochSeconds(current.startedAt),
    elapsed_time: seconds(Math.max(0, now.getTime() - current.startedAt.getTime())),
    ai_provider: model?.includes(':') === true ? (model.split(':', 1)[0] ?? null) : null,
    model,
    progress_indicators: describeIndicators(current.phase),
    intermediate_output: current.text === '' ? null : current.text,
  }
}

/** Every step that is over, in the order they ended. */
export function describeCompletedSteps({ outcomes, definition, input }: ExecutionRecord, { ran }: Measures) {
  const types = new Map(definition.steps.map(({ id, type }) => [id, type]))
  const byOutcome = new Map(ran.map((run) => [run.outcome, run]))
  return outcomes.map((outcome) => {
    const run = byOutcome.get(outcome)
    return {
      step_id: outcome.stepId,
      step_type: types.get(outcome.stepId) ?? '',
      status: outcome.state,
      completed_at: epochSeconds(outcome.finishedAt),
      execution_time: seconds(run?.ms ?? 0),
      tokens_used: run?.tokens ?? 0,
      ...costOf([outcome]),
      ...(input.batch !== undefined && { item: outcome.item }),
    }
  })
}

/** What has not begun yet. In a batch each step stands once, for all items that have it before them. */
export function describeUpcomingSteps(record: ExecutionRecord, { stepMs }: Expectation) {
  const { definition, outcomes, live, finishedAt, input } = record
  if (finishedAt !== null) return []
  const items = input.batch?.items.length ?? 1
  const begun = Map.groupBy([...outcomes, ...live], ({ stepId }) => stepId)
  return definition.steps.flatMap((step: Step) => {
    const left = items - (begun.get(step.id)?.length ?? 0)
    if (left <= 0) return []
    const usual = stepMs.get(step.id)
    return [
      {
        step_id: step.id,
        step_type: step.type,
        estimated_duration: usual === undefined ? null : seconds(usual),
        dependencies: [...(step.dependencies ?? [])],
        ...(input.batch !== undefined && { items_remaining: left }),
      },
    ]
  })
}
