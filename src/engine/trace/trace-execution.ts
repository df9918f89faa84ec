import { kindOf, type Step } from '../definition/step-types.ts'
import { itemContext } from '../execution/batch-items.ts'
import { describeExecution, endedBefore, laterOf } from '../execution/expression-times.ts'
import { readableError } from '../execution/shared-memory.ts'
import type { Scope } from '../expressions/paths.ts'
import { type Graph, readGraph } from '../graph/graph.ts'
import { withWrittenExpressions } from '../steps/step-expressions.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { ExecutionEvent, StepOutcome, StoredError } from '../store/commit.ts'
import type { StoredExecution } from '../store/read-execution.ts'
import { type IdleSpan, idleSpans } from './idle-spans.ts'

/** The trace of one step, for one item of a batch. */
export interface StepTrace {
  readonly step: Step
  readonly state: 'waiting' | 'running' | 'suspended' | 'stopped' | 'not_run' | StepOutcome['state']
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

/**
 * Traces all steps, of one item where there is a batch, in the order of the definition. Never throws.
 *
 * | a step without an outcome        | while the execution runs         | once it has ended |
 * |----------------------------------|----------------------------------|-------------------|
 * | never started                    | `waiting`                        | `not_run`         |
 * | started                          | `running`, `suspended` if it waits | `stopped`       |
 * | started only before a recovery   | `waiting`                        | `not_run`         |
 */
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
    | 'activeMs'
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
  const idle = idleSpans(execution, new Date())
  const recoveredSeq = execution.events.findLast(({ type }) => type === 'execution_recovered')?.seq ?? 0
  return definition.steps.map((step) => {
    const outcome = outcomes.get(step.id)
    const events = eventsByStep.get(step.id) ?? []
    const lastStart = events.findLast(({ type }) => type === 'step_started')
    const { after, dormant } = graph.byId.get(step.id) ?? { after: new Set<string>(), dormant: false }
    // The start of a step that has not ended, in this run of the execution.
    const openStart =
      outcome === undefined && lastStart !== undefined && lastStart.seq > recoveredSeq ? lastStart : undefined
    const stepStartedAt = outcome === undefined ? (openStart?.at ?? null) : outcome.startedAt
    const stepFinishedAt = outcome?.finishedAt ?? (openStart === undefined ? null : finishedAt)
    // A step is not ready while the execution waits for its next lease.
    const leasedAt =
      resumedAt !== null && (stepStartedAt === null || stepStartedAt >= resumedAt) ? resumedAt : startedAt
    return {
      step,
      state:
        outcome?.state ?? stateOf({ isOver: finishedAt !== null, openStart, waits: waiting.has(step.id) }),
      readyAt: earlier(
        readyAt(
          [...after].map((id) => outcomes.get(id)?.finishedAt ?? null),
          leasedAt,
        ),
        stepStartedAt,
      ),
      startedAt: stepStartedAt,
      finishedAt: stepFinishedAt,
      attempts: runsOf(events).flatMap(({ start, rest, next }, index) => {
        const run = index + 1
        if (next !== undefined)
          return attemptsOf(start, rest, { run, ...earlierEnd({ start, rest, next }, idle) })
        // A recovered step that has not started again has only the attempts of its earlier runs.
        const isOpen = outcome !== undefined || openStart !== undefined
        return attemptsOf(start, rest, {
          run,
          ...(isOpen
            ? { finishedAt: stepFinishedAt, error: outcome?.error ?? null }
            : earlierEnd({ start, rest, next }, idle)),
        })
      }),
      onDemand: dormant,
      outcome,
      readInput: () =>
        lastStart === undefined
          ? undefined
          : readStepInput(execution, {
              step,
              item,
              startSeq: lastStart.seq,
              events: itemEvents,
              graph,
              outer,
            }),
    }
  })
}

interface OpenStep {
  /** Whether the execution has ended. */
  readonly isOver: boolean
  /** Undefined: it has not started. */
  readonly openStart: ExecutionEvent | undefined
  readonly waits: boolean
}

function stateOf({ isOver, openStart, waits }: OpenStep): StepTrace['state'] {
  if (openStart === undefined) return isOver ? 'not_run' : 'waiting'
  if (isOver) return 'stopped'
  return waits ? 'suspended' : 'running'
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

/** A start of a step and the events until its next start: a recovered step starts more than once. */
interface StepStart {
  readonly start: ExecutionEvent
  readonly rest: readonly ExecutionEvent[]
  /** Undefined: it is the last one. */
  readonly next: ExecutionEvent | undefined
}

function runsOf(events: readonly ExecutionEvent[]): StepStart[] {
  const starts = events.flatMap(({ type }, index) => (type === 'step_started' ? [index] : []))
  return starts.flatMap((at, nth) => {
    const start = events[at]
    const until = starts[nth + 1]
    const next = until === undefined ? undefined : events[until]
    return start === undefined ? [] : [{ start, rest: events.slice(at + 1, until), next }]
  })
}

/** The end of an earlier run of a step: its failure, else the idle time in which its worker had stopped. */
function earlierEnd(
  { start, rest, next }: StepStart,
  idle: readonly IdleSpan[],
): Pick<Attempt, 'finishedAt' | 'error'> {
  const failed = rest.findLast(({ type }) => type === 'step_failed')
  if (failed !== undefined) {
    const { duration, error } = failed.data as { duration: number; error?: StoredError }
    // The event is written later than the step ends, because other steps are running.
    const finishedAt = new Date(start.at.getTime() + Math.round(duration * 1000))
    return { finishedAt, error: error ?? null }
  }
  const stopped = idle.findLast(({ to }) => next === undefined || to <= next.at)
  return { finishedAt: stopped?.from ?? next?.at ?? null, error: null }
}

interface Attempt {
  /** Counts the starts of the step, from 1. */
  readonly run: number
  readonly number: number
  readonly startedAt: Date
  /** Null while it is running. */
  readonly finishedAt: Date | null
  readonly error: Pick<StoredError, 'code' | 'message' | 'provider'> | null
}

/**
 * The attempts of a step since one of its starts. `events` follow this start. A `step_retrying` event ends an attempt, and the next one
 * starts after its pause.
 */
function attemptsOf(
  started: ExecutionEvent,
  events: readonly ExecutionEvent[],
  { run, ...end }: Pick<Attempt, 'run' | 'finishedAt' | 'error'>,
): Attempt[] {
  const attempts: Attempt[] = []
  let open: { readonly number: number; readonly startedAt: Date } = { number: 1, startedAt: started.at }
  for (const { at, type, data } of events) {
    if (type !== 'step_retrying') continue
    const { code, message, provider } = data as unknown as Pick<StoredError, 'code' | 'message' | 'provider'>
    const error = { code, message, ...(provider !== undefined && { provider }) }
    attempts.push({ run, ...open, finishedAt: at, error })
    const pauseMs = Number(data['pause'] ?? 0) * 1000
    open = { number: Number(data['attempt']), startedAt: new Date(at.getTime() + pauseMs) }
  }
  return [...attempts, { run, ...open, ...end }]
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
  readonly graph: Graph
  readonly outer: Scope | undefined
}

function readStepInput(execution: TracedExecution, started: StartedStep): StepInput {
  const scope = scopeAtStart(execution, started)
  return { memory: scope.memory, request: filledRequest(started.step, scope) }
}

/** The context, and the outputs of all steps that had completed when the step started. Events are numbered, so this is exact. */
function scopeAtStart(
  execution: TracedExecution,
  { step, item, startSeq, events, graph, outer }: StartedStep,
): Scope {
  const { input, startedAt } = execution
  const outcomes = execution.outcomes.filter((outcome) => outcome.item === item)
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
    if (!(reused || ended.has(outcome.stepId))) continue
    const maker = graph.steps.get(outcome.stepId)
    if (outcome.state === 'failed' && maker?.on_error !== undefined && outcome.error !== null)
      errors[outcome.stepId] = readableError(outcome.error)
    if (outcome.state !== 'completed') continue
    steps[outcome.stepId] = outcome.output
    const key = maker?.output_to_memory
    if (key !== undefined) memory[key] = outcome.output
  }
  const begin = startedAt ?? new Date(0)
  const ends = new Map(outcomes.map(({ stepId, finishedAt }) => [stepId, finishedAt]))
  const context = itemContext(input.context, input.batch, item)
  return {
    context: Object.keys(errors).length === 0 ? context : { ...context, errors },
    memory,
    steps,
    variables: () => ({
      now: laterOf(
        begin,
        endedBefore(graph, step.id, (id) => ends.get(id)),
      ),
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
