import type { FlowDefinition } from '../definition/flow.ts'
import type { Step } from '../definition/step-types.ts'
import type { Graph } from '../graph/graph.ts'
import { isFatalCode } from '../steps/step-failure.ts'
import type { ExecutionEnd, StepOutcome, StoredError } from '../store/commit.ts'
import type { OutcomeDetails } from './facts.ts'
import type { ExecutionInput } from './input.ts'
import { itemContext } from './item-context.ts'
import type { Journal } from './journal.ts'
import { createProgress, type FinishedStep, type Progress } from './progress.ts'
import type { Room } from './room.ts'
import type { Rules } from './rules.ts'

/** Made once: to make an error takes longer than a light step. */
const itemIsOver = new Error('this item is over')

/** A way through the flow that is open: the only one, or that of an item of a batch. */
export interface Lane {
  readonly item: number
  readonly progress: Progress
  /** Aborts when this item is over, so that what still runs for it ends. The only way of an execution is over with it. */
  readonly over: AbortController | undefined
}

/**
 * The ways through a flow that an execution takes.
 *
 * | an item of a batch | on                                                                          | next      |
 * |--------------------|-----------------------------------------------------------------------------|-----------|
 * | waiting            | its group has its turn; without `parallel`, also the item before it is over | open      |
 * | open               | all its steps are over                                                      | succeeded |
 * | open               | a step fails for good                                                       | failed    |
 *
 * A group has its turn when all before it are over. An execution without a batch has one way and ends as it does; a batch is
 * completed when an item succeeded. A bound of the execution, such as its budget, ends all of them.
 */
export interface Lanes {
  /** Those under way, in their order; opens what may be opened. */
  open(): readonly Lane[]
  /** Takes what a step made. `fatal` ends the execution, whatever else it could do. */
  take(finished: FinishedStep): { readonly outcomes: readonly StepOutcome[]; readonly fatal?: StoredError }
  /** How it ended, once nothing is open and nothing waits. */
  end(): ExecutionEnd | undefined
  /** What is in the memory of the only way; undefined for a batch. */
  memory(): Readonly<Record<string, unknown>> | undefined
}

interface LanesOptions {
  readonly definition: FlowDefinition
  readonly graph: Graph
  readonly input: ExecutionInput
  readonly rules: Rules
  readonly room: Room
  readonly journal: Journal
  readonly outcomes: readonly StepOutcome[]
}

export function createLanes({
  definition,
  graph,
  input,
  rules,
  room,
  journal,
  outcomes,
}: LanesOptions): Lanes {
  const { batch } = input
  const total = batch?.items.length ?? 1
  const stored = Map.groupBy(outcomes, ({ item }) => item)
  const lanes = new Map<number, Lane>()
  /** Of items that are over; null: it succeeded. */
  const results = new Map<number, StoredError | null>()
  let seq = outcomes.reduce((most, outcome) => Math.max(most, outcome.seq), 0)
  let next = 0
  let only: Lane | undefined

  function openLane(item: number): void {
    const before = stored.get(item) ?? []
    stored.delete(item)
    const failed = before.find(({ details }) => (details as Partial<OutcomeDetails>).aborted === true)
    // Only items of a batch are found failed here: whoever recovers an execution removes what ended it.
    if (failed !== undefined && batch !== undefined) return void results.set(item, failed.error)
    const progress = createProgress({
      definition,
      graph,
      input: { context: itemContext(input.context, batch, item), memory: input.memory },
      item,
      isBatch: batch !== undefined,
      rules,
      room,
      journal,
      nextSeq: () => (seq += 1),
      outcomes: before,
    })
    const lane = { item, progress, over: batch === undefined ? undefined : new AbortController() }
    if (batch === undefined) only = lane
    lanes.set(item, lane)
    if (progress.isOver()) finish(lane, null)
  }

  function finish(lane: Lane, error: StoredError | null): void {
    results.set(lane.item, error)
    lanes.delete(lane.item)
    if (batch === undefined) return
    lane.over?.abort(itemIsOver)
    lane.progress.close()
    journal.add('item_finished', {
      item: lane.item,
      success: error === null,
      finished: results.size,
      total,
      ...(error !== null && { error }),
    })
  }

  function mayOpen(): boolean {
    if (next >= total) return false
    if (lanes.size === 0) return true
    return batch?.parallel === true && next % batch.size !== 0
  }

  return {
    open() {
      while (mayOpen()) {
        openLane(next)
        next += 1
      }
      return [...lanes.values()]
    },

    take(finished) {
      const lane = lanes.get(finished.item)
      // It ended together with the step that ended its item.
      if (lane === undefined) return { outcomes: [] }
      const { outcomes: made, error } = lane.progress.take(finished)
      if (error !== undefined && (batch === undefined || isFatalCode(error.code))) {
        return { outcomes: made, fatal: error }
      }
      if (error !== undefined) finish(lane, error)
      else if (lane.progress.isOver()) finish(lane, null)
      return { outcomes: made }
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

/** Steps that could begin now, over all that is open. */
export function readySteps(lanes: readonly Lane[]): { readonly lane: Lane; readonly step: Step }[] {
  return lanes.flatMap((lane) => lane.progress.ready().map((step) => ({ lane, step })))
}
