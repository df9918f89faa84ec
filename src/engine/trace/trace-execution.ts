import { kindOf, type Step } from '../definition/step-types.ts'
import { itemContext } from '../execution/batch-items.ts'
import { describeExecution, endedBefore, laterOf } from '../execution/expression-times.ts'
import { readableError } from '../execution/shared-memory.ts'
import type { Scope } from '../expressions/paths.ts'
import { readGraph } from '../graph/graph.ts'
import { withWrittenExpressions } from '../steps/step-expressions.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { ExecutionEvent, StepOutcome, StoredError } from '../store/commit.ts'
import type { StoredExecution } from '../store/read-execution.ts'

/** The trace of one step, for one item of a batch. */
export interface StepTrace {
  readonly step: Step
  /** `suspended`: it has an open wait. */
  readonly state: 'waiting' | 'running' | 'suspended' | StepOutcome['state']
  /** When all steps before it had ended; null until then. */
  readonly readyAt: Date | null
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  readonly attempts: readonly Attempt[]
  /** Runs only when an agent adds it. */
  readonly onDemand: boolean
  readonly outcome: StepOutcome | undefined
  /** Reconstructs the input of the step. Undefined: it has not started. */
  readInput(): StepInput | undefined
}

/** Traces all steps, of one item where there is a batch, in the order of the definition. Never throws. */
export function traceExecution(
  execution: Pick<
    StoredExecution,
    | 'id'
    | 'flowVersion'
    | 'definition'
    | 'input'
    | 'outcomes'
    | 'events'
    | 'waits'
    | 'startedAt'
    | 'resumedAt'
    | 'finishedAt'
  >,
  item: number,
  /** The scope around the steps, for those inside a container. */
  outer?: Scope,
): StepTrace[] {
  const { definition, startedAt, resumedAt, finishedAt } = execution
  const outcomes = new Map(
    execution.outcomes.filter((outcome) => outcome.item === item).map((outcome) => [outcome.stepId, outcome]),
  )
  const itemEvents = stepEventsOf(execution.events, item)
  const eventsByStep = Map.groupBy(itemEvents, ({ data }) => String(data['step_id']))
  const waiting = new Set(execution.waits.filter((wait) => wait.item === item).map(({ stepId }) => stepId))
  const graph = readGraph(definition.steps)
  return definition.steps.map((step) => {
    const outcome = outcomes.get(step.id)
    const events = eventsByStep.get(step.id) ?? []
    const lastStart = events.findLast(({ type }) => type === 'step_started')
    const { after, dormant } = graph.byId.get(step.id) ?? { after: new Set<string>(), dormant: false }
    const isRunning = outcome === undefined && lastStart !== undefined && finishedAt === null
    const stepStartedAt = outcome === undefined ? (isRunning ? lastStart.at : null) : outcome.startedAt
    // A step is not ready while the execution waits for its next lease.
    const leasedAt =
      resumedAt !== null && (stepStartedAt === null || stepStartedAt >= resumedAt) ? resumedAt : startedAt
    return {
      step,
      state: outcome?.state ?? (!isRunning ? 'waiting' : waiting.has(step.id) ? 'suspended' : 'running'),
      readyAt: earlier(
        readyAt(
          [...after].map((id) => outcomes.get(id)?.finishedAt ?? null),
          leasedAt,
        ),
        stepStartedAt,
      ),
      startedAt: stepStartedAt,
      finishedAt: outcome?.finishedAt ?? null,
      attempts:
        lastStart === undefined || (outcome === undefined && !isRunning)
          ? []
          : attemptsOf(lastStart, events.slice(events.indexOf(lastStart) + 1), outcome),
      onDemand: dormant,
      outcome,
      readInput: () =>
        lastStart === undefined
          ? undefined
          : readStepInput(execution, { step, item, startSeq: lastStart.seq, events: itemEvents, outer }),
    }
  })
}

function stepEventsOf(events: readonly ExecutionEvent[], item: number): ExecutionEvent[] {
  return events.filter(({ data }) => typeof data['step_id'] === 'string' && (data['item'] ?? 0) === item)
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

/** Earlier releases stored the start of an execution shortly after that of its first step. */
function earlier(ready: Date | null, started: Date | null): Date | null {
  return ready !== null && started !== null && started < ready ? started : ready
}

interface Attempt {
  readonly number: number
  readonly startedAt: Date
  /** Null while it is running. */
  readonly finishedAt: Date | null
  readonly error: Pick<StoredError, 'code' | 'message' | 'provider'> | null
}

/**
 * The attempts of a step since its last start: a recovered or resumed step starts more than once. `events` follow this start. A
 * `step_retrying` event ends an attempt, and the next one starts after its pause.
 */
function attemptsOf(
  started: ExecutionEvent,
  events: readonly ExecutionEvent[],
  outcome: StepOutcome | undefined,
): Attempt[] {
  const attempts: Attempt[] = []
  let open: { readonly number: number; readonly startedAt: Date } = { number: 1, startedAt: started.at }
  for (const { at, type, data } of events) {
    if (type !== 'step_retrying') continue
    const { code, message, provider } = data as unknown as Pick<StoredError, 'code' | 'message' | 'provider'>
    const error = { code, message, ...(provider !== undefined && { provider }) }
    attempts.push({ ...open, finishedAt: at, error })
    const pauseMs = Number(data['pause'] ?? 0) * 1000
    open = { number: Number(data['attempt']), startedAt: new Date(at.getTime() + pauseMs) }
  }
  return [...attempts, { ...open, finishedAt: outcome?.finishedAt ?? null, error: outcome?.error ?? null }]
}

/** The input of a step, reconstructed from the journal and the outputs of other steps: it is not stored. */
interface StepInput {
  /** The shared memory when the step started. */
  readonly memory: Scope['memory']
  /** The step's own fields with all placeholders filled, for example its prompt. */
  readonly request: Readonly<Record<string, unknown>>
}

type TracedExecution = Pick<
  StoredExecution,
  'id' | 'flowVersion' | 'definition' | 'input' | 'outcomes' | 'startedAt'
>

interface StartedStep {
  readonly step: Step
  readonly item: number
  /** The number of the event of its last start. */
  readonly startSeq: number
  /** The events of all steps of the item. */
  readonly events: readonly ExecutionEvent[]
  readonly outer: Scope | undefined
}

function readStepInput(execution: TracedExecution, started: StartedStep): StepInput {
  const scope = scopeAtStart(execution, started)
  return { memory: scope.memory, request: filledRequest(started.step, scope) }
}

/** The context, and the outputs of all steps that had completed when the step started. Events are numbered, so this is exact. */
function scopeAtStart(
  execution: TracedExecution,
  { step, item, startSeq, events, outer }: StartedStep,
): Scope {
  const { definition, input, outcomes, startedAt } = execution
  const ended = new Set(
    events
      .filter(({ seq, type }) => (type === 'step_completed' || type === 'step_failed') && seq < startSeq)
      .map(({ data }) => data['step_id']),
  )
  const memory = Object.assign(Object.create(null) as Record<string, unknown>, input.memory)
  const steps = Object.create(null) as Record<string, unknown>
  const errors = Object.create(null) as Record<string, unknown>
  for (const outcome of outcomes) {
    const reused = outcome.details['reused_from'] !== undefined
    if (outcome.item !== item || !(reused || ended.has(outcome.stepId))) continue
    const maker = definition.steps.find(({ id }) => id === outcome.stepId)
    if (outcome.state === 'failed' && maker?.on_error !== undefined && outcome.error !== null)
      errors[outcome.stepId] = readableError(outcome.error)
    if (outcome.state !== 'completed') continue
    steps[outcome.stepId] = outcome.output
    const key = maker?.output_to_memory
    if (key !== undefined) memory[key] = outcome.output
  }
  const begin = startedAt ?? new Date(0)
  const endOf = (id: string) =>
    outcomes.find((outcome) => outcome.item === item && outcome.stepId === id)?.finishedAt
  const context = itemContext(input.context, input.batch, item)
  return {
    context: Object.keys(errors).length === 0 ? context : { ...context, errors },
    memory,
    steps,
    variables: () => ({
      now: laterOf(begin, endedBefore(readGraph(definition.steps), step.id, endOf)),
      execution: describeExecution(execution, begin),
    }),
    ...(outer !== undefined && { outer }),
  }
}

function filledRequest(step: Step, scope: Scope): Readonly<Record<string, unknown>> {
  try {
    const kind = kindOf(step)
    return kind.describeInput(step, withWrittenExpressions(kind.templates?.(step), scope))
  } catch (error) {
    // The filled text exceeds its limit, as it did when the step ran.
    if (error instanceof StepFailure) return { problem: error.message }
    throw error
  }
}
