import type { Trace, TracedStep } from '../executions/execution-bodies.ts'

/** What the stream of an execution tells of a step. */
export interface StepNews {
  readonly event: string
  readonly step: string
  readonly item: number
  /** Epoch seconds. */
  readonly at: number
}

/** Shows what just happened without waiting for the whole trace, which says it more exactly a moment later. */
export function applyNews(trace: Trace, { event, step, item, at }: StepNews): Trace {
  const change = changes[event]
  if (change === undefined || item !== trace.item) return trace
  return {
    ...trace,
    steps: trace.steps.map((known) => (known.step_id === step ? { ...known, ...change(known, at) } : known)),
  }
}

type Change = (step: TracedStep, at: number) => Partial<TracedStep>

const changes: Readonly<Record<string, Change>> = {
  step_started: (step, at) =>
    step.state === 'waiting'
      ? {
          state: 'running',
          started_at: at,
          attempts: [{ number: 1, started_at: at, finished_at: null, error: null }],
        }
      : {},
  step_completed: (step, at) => ({ state: 'completed', ...ended(step, at) }),
  step_failed: (step, at) => ({ state: 'failed', ...ended(step, at) }),
  step_skipped: () => ({ state: 'skipped' }),
}

function ended({ attempts, finished_at }: TracedStep, at: number): Partial<TracedStep> {
  if (finished_at !== null) return {}
  return {
    finished_at: at,
    attempts: attempts.map((attempt) =>
      attempt.finished_at === null ? { ...attempt, finished_at: at } : attempt,
    ),
  }
}
