import type { ExecutionRecord } from '#engine'
import { percentage } from '../units.ts'
import type { Expectation } from './expectation.ts'

type StepType = ExecutionRecord['definition']['steps'][number]['type']
type LiveStep = ExecutionRecord['live'][number]

const phaseOfType: Readonly<Record<StepType, string>> = {
  ai_prompt: 'ai_processing',
  conditional: 'evaluating_conditions',
  external_api: 'calling_api',
  data_transform: 'transforming_data',
  agent: 'agent_working',
}

/** The phase of an execution. */
export function describePhase(record: ExecutionRecord): string {
  const { status, parked, cancel, live, outcomes, definition } = record
  if (status === 'queued') {
    if (parked === null) return 'queued'
    return parked === 'approval' ? 'awaiting_approval' : 'awaiting_capacity'
  }
  if (status !== 'running') return status
  if (cancel !== null) return 'cancelling'
  const type = definition.steps.find(({ id }) => id === live[0]?.stepId)?.type
  if (type !== undefined) return phaseOfType[type]
  return outcomes.length === 0 ? 'starting' : 'between_steps'
}

function countSteps({ definition, input, outcomes }: ExecutionRecord) {
  const total = definition.steps.length * (input.batch?.items.length ?? 1)
  return { total, over: Math.min(total, outcomes.length) }
}

export function describeProgress(record: ExecutionRecord, expected: Expectation, now: Date) {
  const { total, over } = countSteps(record)
  const isOver = record.finishedAt !== null
  const [current] = record.live
  return {
    overall_percentage: record.status === 'completed' ? 100 : (percentage(over, total) ?? 0),
    current_step: current?.stepId ?? null,
    current_step_progress: current === undefined ? null : stepProgress(current, expected, now),
    steps_completed: over,
    steps_remaining: isOver ? 0 : total - over,
    steps_total: total,
  }
}

const phases = ['prompt_processed', 'ai_response_streaming', 'response_processing', 'validation'] as const

/** By the usual duration, at most 95 %; else by the phase the step has reached. */
function stepProgress(
  { stepId, startedAt, phase }: LiveStep,
  { stepMs }: Expectation,
  now: Date,
): number | null {
  const usual = stepMs.get(stepId)
  if (usual !== undefined && usual > 0) {
    return Math.min(95, Math.round(((now.getTime() - startedAt.getTime()) / usual) * 100))
  }
  return phase === null ? null : (phases.indexOf(phase) + 1) * 20
}

/** The phases that a step with a model call has reached. */
export function describeIndicators(phase: LiveStep['phase']) {
  const reached = phase === null ? -1 : phases.indexOf(phase)
  return {
    prompt_processed: reached >= 0,
    ai_response_streaming: reached >= 1,
    response_processing: reached >= 2,
    validation: reached >= 3,
  }
}
