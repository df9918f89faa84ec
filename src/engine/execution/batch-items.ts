import type { Step } from '../definition/step-types.ts'
import type { Graph } from '../graph/graph.ts'
import { isFatal } from '../steps/step-failure.ts'
import type { ExecutionEnd, Journal, StepOutcome, StoredError } from '../store/commit.ts'
import type { ExecutionInput } from './input.ts'
import type { LeasedExecution } from './leased-execution.ts'
import type { Ledger } from './ledger.ts'
import type { UnreadScopes } from './open-container.ts'
import { type MemoryBudget, type Rules, rulesInside, rulesOf } from './rules.ts'
import type { FinishedStep, OpenScope } from './running-steps.ts'
import { createItemScopes, type ItemScopes } from './scopes.ts'
import type { FlowRef, SubFlows } from './sub-flows.ts'
import type { Totals } from './totals.ts'

/** Created once: creating an Error takes longer than running a pure step. */
const itemEnded = new Error('this batch item has ended')

/** An item of a batch that is running. An execution without a batch has a single item, number 0. */
export interface BatchItem {
  readonly item: number
  readonly scopes: ItemScopes
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
  take(finished: FinishedStep): TakenOutcomes
  /** Containers that end as soon as the unread results of their scopes are given to `takeResults`. */
  lacking(): readonly ContainerRef[]
  /** Ends a container of `lacking`, with the stored ends of its scopes. */
  takeResults(container: ContainerRef, ends: readonly StepOutcome[]): TakenOutcomes
  /** How the execution ended; undefined while an item is running or waiting. */
  end(): ExecutionEnd | undefined
  /** The shared memory of an execution without a batch; undefined for a batch. */
  memory(): Readonly<Record<string, unknown>> | undefined
}

interface TakenOutcomes {
  readonly outcomes: readonly StepOutcome[]
  readonly fatal?: StoredError
}

/** A container of an execution. */
export interface ContainerRef {
  readonly item: number
  /** Its path, such as `each`. */
  readonly container: string
}

interface BatchItemsOptions {
  /** The flow of the execution. */
  readonly flow: FlowRef
  readonly graph: Graph
  readonly input: ExecutionInput
  readonly rules: Rules
  readonly memoryBudget: MemoryBudget
  /** Of all items together. */
  readonly totals: Pick<Totals, 'requireItems' | 'scopeOpened' | 'scopeEnded'>
  readonly journal: Journal
  /** Outcomes of earlier leases, ordered by `seq`: those of open scopes, and the ends of the others. */
  readonly outcomes: readonly StepOutcome[]
  /** Scopes that ended in earlier leases and are not among the outcomes. */
  readonly unread: readonly UnreadScopes[]
  /** The costs of the execution, for scopes with a budget. */
  readonly ledger: () => Ledger
  readonly subFlows: SubFlows
  /** Called with outcomes that follow from stored ones alone, when an item is opened. */
  readonly onRestored: (outcomes: readonly StepOutcome[]) => void
}

export function createBatchItems(options: BatchItemsOptions): BatchItems {
  const { input, journal, outcomes, unread } = options
  const { batch } = input
  const total = batch?.items.length ?? 1
  const stored = Map.groupBy(outcomes, ({ item }) => item)
  const batchItems = new Map<number, BatchItem>()
  /** Items that ended; null: the item succeeded. */
  const results = new Map<number, StoredError | null>()
  let seq = lastSeqOf(options)
  let next = 0
  let only: BatchItem | undefined

  function openItem(item: number): void {
    const before = stored.get(item) ?? []
    stored.delete(item)
    const failed = before.find(({ details }) => details.aborted === true)
    // Only batch items are found failed here: recovering an execution removes the outcome that aborted it.
    if (failed !== undefined && batch !== undefined) return void results.set(item, failed.error)
    const ended = batch === undefined ? undefined : new AbortController()
    const scopes = createItemScopes({
      ...options,
      rulesIn: (definition) => rulesInside(options.rules, rulesOf(definition, input, new Date(0))),
      context: itemContext(input.context, batch, item),
      memory: input.memory,
      item,
      isBatch: batch !== undefined,
      ended,
      nextSeq: () => (seq += 1),
      outcomes: before,
      unread: unread.filter((other) => other.item === item),
    })
    const batchItem = { item, scopes, ended }
    if (batch === undefined) only = batchItem
    batchItems.set(item, batchItem)
    const { outcomes: restored, error } = scopes.restored
    if (restored.length > 0) options.onRestored(restored)
    if (error !== undefined) finish(batchItem, error)
    else if (scopes.isFinished()) finish(batchItem, null)
  }

  /** Records what a step or the results of a container led to. */
  function settle(
    batchItem: BatchItem,
    { outcomes: recorded, error }: ReturnType<ItemScopes['take']>,
  ): TakenOutcomes {
    if (error !== undefined && (batch === undefined || isFatal(error)))
      return { outcomes: recorded, fatal: error }
    if (error !== undefined) finish(batchItem, error)
    else if (batchItem.scopes.isFinished()) finish(batchItem, null)
    return { outcomes: recorded }
  }

  function finish(batchItem: BatchItem, error: StoredError | null): void {
    results.set(batchItem.item, error)
    batchItems.delete(batchItem.item)
    if (batch === undefined) return
    batchItem.ended?.abort(itemEnded)
    batchItem.scopes.close()
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
      return settle(batchItem, batchItem.scopes.take(finished))
    },

    lacking: () =>
      [...batchItems.values()].flatMap(({ item, scopes }) =>
        scopes.lacking().map((container) => ({ item, container })),
      ),

    takeResults({ item, container }, ends) {
      const batchItem = batchItems.get(item)
      if (batchItem === undefined) return { outcomes: [] }
      return settle(batchItem, batchItem.scopes.takeResults(container, ends))
    },

    end() {
      if (results.size < total) return undefined
      const errors = [...results.values()].filter((error) => error !== null)
      const [first] = errors
      if (errors.length < total || first === undefined) return { status: 'completed', error: null }
      if (batch === undefined) return { status: 'failed', error: first }
      return { status: 'failed', error: { ...first, details: { ...first.details, items_failed: total } } }
    },

    memory: () => only?.scopes.root.scope.memory,
  }
}

/**
 * The number of the last outcome of earlier leases; 0: there is none. The end of a scope has a higher number than all steps inside, so the
 * last of the loaded outcomes is the last of all.
 */
export function lastSeqOf({ outcomes, unread }: Pick<LeasedExecution, 'outcomes' | 'unread'>): number {
  return Math.max(0, ...unread.map(({ lastSeq }) => lastSeq), outcomes.at(-1)?.seq ?? 0)
}

/** Steps of all open scopes of running items that may start now. */
export function readySteps(
  batchItems: readonly BatchItem[],
): { readonly scope: OpenScope; readonly step: Step }[] {
  const ready: { readonly scope: OpenScope; readonly step: Step }[] = []
  for (const { scopes } of batchItems) {
    for (const scope of scopes.open()) {
      for (const step of scope.progress.ready()) ready.push({ scope, step })
    }
  }
  return ready
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
