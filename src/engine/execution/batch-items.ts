import type { FlowDefinition } from '../definition/flow.ts'
import type { Step } from '../definition/step-types.ts'
import { type Scope, splitPath } from '../expressions/paths.ts'
import type { Graph } from '../graph/graph.ts'
import { type Choice, createPlan, type Skipped } from '../graph/plan.ts'
import { isFatal, StepFailure } from '../steps/step-failure.ts'
import type { ExecutionEnd, Journal, StepOutcome, StoredError } from '../store/commit.ts'
import type { ExecutionInput } from './input.ts'
import { type MemoryBudget, megabytes, type Rules } from './rules.ts'
import { errorOf, type FinishedStep, type StepEnd } from './running-steps.ts'
import type { OutcomeDetails } from './stats.ts'

/** Created once: creating an Error takes longer than running a pure step. */
const itemEnded = new Error('this batch item has ended')

/** An item of a batch that is running. An execution without a batch has a single item, number 0. */
export interface BatchItem {
  readonly item: number
  readonly progress: Progress
  /** Aborts the item's running steps when the item ends. Undefined without a batch: the item ends with its execution. */
  readonly ended: AbortController | undefined
}

/**
 * The items of an execution.
 *
 * | state   | on                                                                                    | next      |
 * |---------|---------------------------------------------------------------------------------------|-----------|
 * | waiting | all earlier groups have ended; without `parallel`, also the item before it has ended  | running   |
 * | running | all its steps have ended                                                              | succeeded |
 * | running | a step fails and aborts the item                                                      | failed    |
 *
 * An execution without a batch ends as its single item does. A batch is completed when at least one item succeeded. Exceeding a
 * limit of the execution, such as its budget, ends all items.
 */
export interface BatchItems {
  /** Starts the items that may start and returns all running ones, in their order. */
  open(): readonly BatchItem[]
  /** Records a finished step. `fatal` ends the execution, even if other items could continue. */
  take(finished: FinishedStep): { readonly outcomes: readonly StepOutcome[]; readonly fatal?: StoredError }
  /** How the execution ended; undefined while an item is running or waiting. */
  end(): ExecutionEnd | undefined
  /** The shared memory of an execution without a batch; undefined for a batch. */
  memory(): Readonly<Record<string, unknown>> | undefined
}

interface BatchItemsOptions {
  readonly definition: FlowDefinition
  readonly graph: Graph
  readonly input: ExecutionInput
  readonly rules: Rules
  readonly memoryBudget: MemoryBudget
  readonly journal: Journal
  /** Outcomes of earlier leases, ordered by `seq`. */
  readonly outcomes: readonly StepOutcome[]
}

export function createBatchItems(options: BatchItemsOptions): BatchItems {
  const { input, journal, outcomes } = options
  const { batch } = input
  const total = batch?.items.length ?? 1
  const stored = Map.groupBy(outcomes, ({ item }) => item)
  const batchItems = new Map<number, BatchItem>()
  /** Items that ended; null: the item succeeded. */
  const results = new Map<number, StoredError | null>()
  let seq = outcomes.reduce((last, outcome) => Math.max(last, outcome.seq), 0)
  let next = 0
  let only: BatchItem | undefined

  function openItem(item: number): void {
    const before = stored.get(item) ?? []
    stored.delete(item)
    const failed = before.find(({ details }) => details.aborted === true)
    // Only batch items are found failed here: recovering an execution removes the outcome that aborted it.
    if (failed !== undefined && batch !== undefined) return void results.set(item, failed.error)
    const progress = createProgress({
      ...options,
      input: { context: itemContext(input.context, batch, item), memory: input.memory },
      item,
      isBatch: batch !== undefined,
      nextSeq: () => (seq += 1),
      outcomes: before,
    })
    const batchItem = { item, progress, ended: batch === undefined ? undefined : new AbortController() }
    if (batch === undefined) only = batchItem
    batchItems.set(item, batchItem)
    if (progress.isFinished()) finish(batchItem, null)
  }

  function finish(batchItem: BatchItem, error: StoredError | null): void {
    results.set(batchItem.item, error)
    batchItems.delete(batchItem.item)
    if (batch === undefined) return
    batchItem.ended?.abort(itemEnded)
    batchItem.progress.close()
    journal.add('item_finished', {
      item: batchItem.item,
      success: error === null,
      finished: results.size,
      total,
      ...(error !== null && { error }),
    })
  }

  function mayOpen(): boolean {
    if (next >= total) return false
    if (batchItems.size === 0) return true
    return batch?.parallel === true && next % batch.size !== 0
  }

  return {
    open() {
      while (mayOpen()) {
        openItem(next)
        next += 1
      }
      return [...batchItems.values()]
    },

    take(finished) {
      const batchItem = batchItems.get(finished.item)
      // Another step has ended the item in the meantime.
      if (batchItem === undefined) return { outcomes: [] }
      const { outcomes: recorded, error } = batchItem.progress.take(finished)
      if (error !== undefined && (batch === undefined || isFatal(error))) {
        return { outcomes: recorded, fatal: error }
      }
      if (error !== undefined) finish(batchItem, error)
      else if (batchItem.progress.isFinished()) finish(batchItem, null)
      return { outcomes: recorded }
    },

    end() {
      if (results.size < total) return undefined
      const errors = [...results.values()].filter((error) => error !== null)
      const [first] = errors
      if (errors.length < total || first === undefined) return { status: 'completed', error: null }
      return { status: 'failed', error: { ...first, details: { ...first.details, items_failed: total } } }
    },

    memory: () => only?.progress.scope.memory,
  }
}

/** Steps of all running items that may start now. */
export function readySteps(
  batchItems: readonly BatchItem[],
): { readonly batchItem: BatchItem; readonly step: Step }[] {
  return batchItems.flatMap((batchItem) => batchItem.progress.ready().map((step) => ({ batchItem, step })))
}

/** The context of a batch item: an item that is an object is merged over the execution's context, any other item becomes `content`. */
export function itemContext(
  context: ExecutionInput['context'],
  batch: ExecutionInput['batch'],
  item: number,
): ExecutionInput['context'] {
  if (batch === undefined) return context
  const given = batch.items[item]
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return {
    ...context,
    ...(isObject ? given : { content: given }),
    batch: { item, total: batch.items.length },
  }
}

/** The progress of one item through the flow: which steps ended, with which outputs, and which may start. */
interface Progress {
  readonly scope: Scope
  /** The failed step that would have produced the value at a path. */
  readonly failedProducerOf: (path: string) => string | undefined
  /** Steps that may start now. */
  ready(): readonly Step[]
  start(step: Step): void
  /** Records a finished step. Returns its outcome, the outcomes of steps skipped because of it, and the error that ends the item. */
  take(finished: FinishedStep): {
    readonly outcomes: readonly StepOutcome[]
    readonly error: StoredError | undefined
  }
  isFinished(): boolean
  /** Releases the memory budget of its outputs. */
  close(): void
}

interface ProgressOptions extends Omit<BatchItemsOptions, 'input'> {
  readonly input: Pick<ExecutionInput, 'context' | 'memory'>
  readonly item: number
  /** Whether events and errors name the item. */
  readonly isBatch: boolean
  /** Numbers the outcomes of all items. */
  readonly nextSeq: () => number
}

function createProgress(options: ProgressOptions): Progress {
  const { definition, graph, input, item, isBatch, rules, memoryBudget, journal, nextSeq, outcomes } = options
  const { steps } = graph
  const plan = createPlan(graph)
  const memory = createSharedMemory({ ...input, memoryBudget })
  const failedSteps = new Set<string>()
  const itemField = isBatch ? { item } : {}

  for (const { stepId, state, choice, output, error } of outcomes) {
    const step = steps.get(stepId)
    // The plan derives skipped steps from the choices of the others.
    if (step === undefined || state === 'skipped') continue
    if (state === 'failed') recordFailure(step, error)
    else memory.add(step, output)
    plan.finish(stepId, { failed: state === 'failed', choice: choice ?? undefined })
  }

  function recordFailure(step: Step, error: StoredError | null): void {
    failedSteps.add(step.id)
    if (step.on_error !== undefined && error !== null) memory.addError(step.id, error)
  }

  function skip({ id, reason }: Skipped, at: Date): StepOutcome {
    journal.add('step_skipped', { step_id: id, reason, ...itemField })
    return {
      stepId: id,
      item,
      seq: nextSeq(),
      state: 'skipped',
      attempts: 0,
      startedAt: null,
      finishedAt: at,
      output: null,
      choice: null,
      error: null,
      details: { reason },
      spent: 0,
    }
  }

  /** An output that exceeds the memory budget turns a completed step into an aborted one. */
  function storeOutput({ step, end }: FinishedStep): StepEnd {
    if (end.kind !== 'completed') return end
    try {
      memory.add(step, end.result.output)
      return end
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      return { kind: 'aborted', failure: error, usage: end.usage, attempts: end.attempts }
    }
  }

  return {
    scope: memory.scope,
    failedProducerOf(path) {
      const [first, second] = splitPath(path) ?? []
      const key = first === 'memory' ? second : first
      const producer = definition.steps.find(({ id, output_to_memory }) =>
        first === 'steps' ? id === second : output_to_memory !== undefined && output_to_memory === key,
      )
      return producer !== undefined && failedSteps.has(producer.id) ? producer.id : undefined
    },
    ready: () => plan.ready().flatMap((id) => steps.get(id) ?? []),
    start: ({ id }) => plan.start(id),
    take(finished) {
      const { step, endedAt } = finished
      const end = storeOutput(finished)
      const outcome = outcomeOf({ ...finished, end }, nextSeq(), isBatch)
      recordEnd({ ...finished, end }, outcome)
      if (end.kind === 'aborted') return { outcomes: [outcome], error: outcome.error ?? undefined }
      if (end.kind === 'passed_over') recordFailure(step, outcome.error)
      const skipped = plan.finish(step.id, {
        failed: end.kind === 'passed_over',
        choice: outcome.choice ?? undefined,
      })
      return { outcomes: [outcome, ...skipped.map((other) => skip(other, endedAt))], error: undefined }
    },
    isFinished: () => plan.isFinished(),
    close: () => memory.close(),
  }

  function recordEnd({ step, end, startedAt, endedAt }: FinishedStep, outcome: StepOutcome): void {
    const completed = end.kind === 'completed'
    journal.add(completed ? 'step_completed' : 'step_failed', {
      step_id: step.id,
      step_type: step.type,
      duration: (endedAt.getTime() - startedAt.getTime()) / 1000,
      tokens_used: end.usage.inputTokens + end.usage.outputTokens,
      cost: (end.usage.microDollars ?? 0) / 1e6,
      unpriced: end.usage.microDollars === null,
      success: completed,
      ...itemField,
      ...(outcome.error !== null && { error: outcome.error }),
    })
    if (completed && end.result.decision !== undefined && rules.keepsDecisions) {
      journal.add('agent_decision', { step_id: step.id, ...itemField, ...end.result.decision })
    }
  }
}

function outcomeOf(
  { step, item, cpuMs, startedAt, endedAt, end }: FinishedStep,
  seq: number,
  isBatch: boolean,
): StepOutcome {
  const failure = end.kind === 'completed' ? end.fallback : end.failure
  const result = end.kind === 'completed' ? end.result : undefined
  return {
    stepId: step.id,
    item,
    seq,
    state: result === undefined ? 'failed' : 'completed',
    attempts: end.attempts,
    startedAt,
    finishedAt: endedAt,
    output: result?.output ?? null,
    choice: result?.choice ?? (end.kind === 'passed_over' ? jumpToHandler(step) : null),
    error: failure === undefined ? null : { ...errorOf(failure), step: step.id, ...(isBatch && { item }) },
    details: {
      ...result?.details,
      confidence: result?.confidence ?? null,
      quality: result?.quality ?? null,
      decision: result?.decision ?? null,
      usage: end.usage,
      cpu_ms: Math.round(cpuMs * 1000) / 1000,
      ...(result === undefined && { aborted: end.kind === 'aborted' }),
    } satisfies OutcomeDetails & Record<string, unknown>,
    spent: end.usage.microDollars,
  }
}

/** The failure of a step with `on_error` continues with its handler. */
function jumpToHandler({ on_error: target }: Step): Choice | null {
  return target === undefined ? null : { kind: 'jump', target }
}

/** The outputs of finished steps, readable by the steps after them. */
interface SharedMemory {
  readonly scope: Scope
  /** Throws MEMORY_LIMIT_EXCEEDED when the output exceeds its limit or the memory budget. */
  add(step: Pick<Step, 'id' | 'output_to_memory'>, output: unknown): void
  /** Makes the error of a failed step readable as `errors.ID`. */
  addError(stepId: string, error: StoredError): void
  /** Releases the memory budget of all outputs. */
  close(): void
}

interface SharedMemoryOptions {
  readonly context: Scope['context']
  readonly memory: Scope['memory']
  readonly memoryBudget: MemoryBudget
}

/** Larger outputs belong into external storage, with a reference in the output. */
const maxOutputBytes = 8 * 1024 * 1024

function createSharedMemory({ context, memory, memoryBudget }: SharedMemoryOptions): SharedMemory {
  // Without a prototype: a step or key may have any name, also `constructor`.
  const scope = {
    context: context as Record<string, unknown>,
    memory: Object.assign(Object.create(null) as Record<string, unknown>, memory),
    steps: Object.create(null) as Record<string, unknown>,
  }
  const errors = Object.create(null) as Record<string, unknown>
  let bytes = sizeOf(context) + sizeOf(memory)
  memoryBudget.reserve(bytes, 'its input')
  return {
    scope,
    add({ id, output_to_memory: key }, output) {
      const size = sizeOf(output)
      if (size > maxOutputBytes) {
        throw new StepFailure({
          code: 'MEMORY_LIMIT_EXCEEDED',
          message: `The output of "${id}" is ${megabytes(size)}; the limit of a step is ${megabytes(maxOutputBytes)}.`,
          details: { bytes: size, limit_bytes: maxOutputBytes },
        })
      }
      memoryBudget.reserve(size, `the output of "${id}"`)
      bytes += size
      scope.steps[id] = output
      if (key !== undefined) scope.memory[key] = output
    },
    addError(stepId, error) {
      errors[stepId] = readableError(error)
      scope.context = { ...context, errors }
    },
    close() {
      memoryBudget.release(bytes)
      bytes = 0
    },
  }
}

/** The error of a failed step as its handler reads it: `errors.ID`. */
export function readableError({ code, message, details }: StoredError): Readonly<Record<string, unknown>> {
  const status = details?.['status']
  return { code, message, ...(status !== undefined && { status }) }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
