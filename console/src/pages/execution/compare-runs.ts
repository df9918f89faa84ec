import type { Trace, TracedStep } from '../executions/execution-queries.ts'

/** A step in two executions; undefined where one does not have it. */
export interface Pair {
  readonly step: string
  readonly left: TracedStep | undefined
  readonly right: TracedStep | undefined
  /** Whether it ran in the same way: its time does not count. */
  readonly same: boolean
}

/** Steps of two executions beside each other, in the order of the first and then what only the second has. */
export function pairSteps(left: Pick<Trace, 'steps'>, right: Pick<Trace, 'steps'>): Pair[] {
  const ids = new Set([...left.steps, ...right.steps].map(({ step_id }) => step_id))
  return [...ids].map((step) => {
    const [one, other] = [left, right].map(({ steps }) => steps.find(({ step_id }) => step_id === step))
    return { step, left: one, right: other, same: isSame(one, other) }
  })
}

function isSame(one: TracedStep | undefined, other: TracedStep | undefined): boolean {
  if (one === undefined || other === undefined) return false
  return (
    one.state === other.state &&
    one.attempts.length === other.attempts.length &&
    one.model_used === other.model_used &&
    one.cost === other.cost
  )
}

export function secondsOf(step: TracedStep | undefined): number | undefined {
  if (step === undefined || step.started_at === null || step.finished_at === null) return undefined
  return step.finished_at - step.started_at
}
