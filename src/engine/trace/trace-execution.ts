import type { Step } from '../definition/step-types.ts'
import { readGraph } from '../graph/graph.ts'
import type { ExecutionEvent, StepOutcome } from '../store/commit.ts'
import type { StoredExecution } from '../store/read-execution.ts'
import { type Attempt, attemptsOf } from './attempts.ts'

/** What one step went through on one way through the flow. */
export interface StepTrace {
  readonly step: Step
  readonly state: 'waiting' | 'running' | StepOutcome['state']
  /** Since when nothing before it was missing; null while something is. */
  readonly readyAt: Date | null
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  readonly attempts: readonly Attempt[]
  /** Runs only when an agent adds it. */
  readonly onDemand: boolean
  readonly outcome: StepOutcome | undefined
}

/** The steps of one way through a flow, those of an item where there is a batch; in the order of the definition. */
export function traceExecution(
  execution: Pick<
    StoredExecution,
    'definition' | 'outcomes' | 'events' | 'startedAt' | 'resumedAt' | 'finishedAt'
  >,
  item: number,
): StepTrace[] {
  const { definition, startedAt, resumedAt, finishedAt } = execution
  const outcomes = new Map(
    execution.outcomes.filter((outcome) => outcome.item === item).map((outcome) => [outcome.stepId, outcome]),
  )
  const told = Map.groupBy(eventsOf(execution.events, item), ({ data }) => String(data['step_id']))
  const graph = readGraph(definition.steps)
  return definition.steps.map((step) => {
    const outcome = outcomes.get(step.id)
    const events = told.get(step.id) ?? []
    const begun = lastStart(events)
    const { after, dormant } = graph.byId.get(step.id) ?? { after: new Set<string>(), dormant: false }
    const isRunning = outcome === undefined && begun !== undefined && finishedAt === null
    const began = outcome === undefined ? (isRunning ? begun.at : null) : outcome.startedAt
    // What waits for a lease, after a failure or without a worker, is not ready before it begins.
    const leasedAt = resumedAt !== null && (began === null || began >= resumedAt) ? resumedAt : startedAt
    return {
      step,
      state: outcome?.state ?? (isRunning ? 'running' : 'waiting'),
      readyAt: earlier(
        readyAt(
          [...after].map((id) => outcomes.get(id)?.finishedAt ?? null),
          leasedAt,
        ),
        began,
      ),
      startedAt: began,
      finishedAt: outcome?.finishedAt ?? null,
      attempts:
        begun === undefined || (outcome === undefined && !isRunning)
          ? []
          : attemptsOf(begun, events.slice(events.indexOf(begun) + 1), outcome),
      onDemand: dormant,
      outcome,
    }
  })
}

/** What was told of the steps of one item. */
export function eventsOf(events: readonly ExecutionEvent[], item: number): ExecutionEvent[] {
  return events.filter(({ data }) => typeof data['step_id'] === 'string' && (data['item'] ?? 0) === item)
}

/** A step that was taken up again, or recovered, begins more than once; what counts is how it began last. */
export function lastStart(events: readonly ExecutionEvent[]): ExecutionEvent | undefined {
  return events.findLast(({ type }) => type === 'step_started')
}

function readyAt(before: readonly (Date | null)[], leasedAt: Date | null): Date | null {
  if (leasedAt === null) return null
  let latest = leasedAt
  for (const at of before) {
    if (at === null) return null
    if (at > latest) latest = at
  }
  return latest
}

/** Earlier releases stored the start of an execution a moment after that of its first step. */
function earlier(ready: Date | null, began: Date | null): Date | null {
  return ready !== null && began !== null && began < ready ? began : ready
}
