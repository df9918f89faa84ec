import type { FlowDefinition } from '../definition/flow.ts'
import {
  containerOfScope,
  endRow,
  idOfPath,
  indexOfScope,
  openRow,
  scopeOfPath,
} from '../definition/nested-steps.ts'
import { type ContainerStep, isContainer, kindOf } from '../definition/step-types.ts'
import type { Scope } from '../expressions/paths.ts'
import type { Graph } from '../graph/graph.ts'
import { isFatal, noUsage, StepFailure } from '../steps/step-failure.ts'
import type { Journal, StepOutcome, StoredError } from '../store/commit.ts'
import type { NextScope, ScopeSpec } from './containers/container.ts'
import type { Ledger } from './ledger.ts'
import {
  addResults,
  addUnread,
  createOpenContainer,
  excessOf,
  fieldsOf,
  keepResult,
  type OpenContainer,
  plainResult,
  resultOf,
  type ScopeNode,
  spentBelow,
  spentIn,
  sumUsage,
  tooLarge,
  tooManyScopes,
  type UnreadScopes,
} from './open-container.ts'
import { containerRow } from './outcomes.ts'
import type { MemoryBudget, Rules } from './rules.ts'
import { addUsage, endWith, type FinishedStep, type OpenScope, type StepEnd } from './running-steps.ts'
import {
  createScopeProgress,
  type ScopeProgress,
  type ScopeProgressOptions,
  type TakenStep,
} from './scope.ts'
import { maxOutputBytes, sizeOf } from './shared-memory.ts'
import type { FlowRef, SubFlows } from './sub-flows.ts'
import type { Totals } from './totals.ts'

/**
 * Scopes of an item that are open at the same time. A container whose scopes run in parallel waits for one of them above the first limit.
 * Flows that run each other can open far more than any list: the second limit ends the execution.
 */
const maxOpenScopes = { parallel: 500, total: 2000 } as const

/** Created once: creating an Error takes longer than running a pure step. */
const scopeEnded = new Error('this scope has ended')

/**
 * The scopes of one item of an execution: the flow itself, and one for every run through the steps of a container.
 *
 * | container | on                                       | then                                                                     |
 * |-----------|------------------------------------------|--------------------------------------------------------------------------|
 * | ready     | all steps before it are committed        | its input is evaluated, and stored as the outcome `PATH/$open`           |
 * | open      | it has more scopes, and may open one     | the next scope opens                                                     |
 * | open      | a step of a scope ends                   | the plan of the scope goes on                                            |
 * | open      | all steps of a scope have ended, or one  | the scope is closed: its result is stored as `PATH/N/$end`, the rest of  |
 * |           | aborts it                                | its memory is released                                                   |
 * | open      | its driver says so                       | its own outcome, like that of any step; open scopes are aborted          |
 * | any       | another worker resumes the execution     | the stored outcomes are replayed: closed scopes are not opened again     |
 * | open      | its driver ends it, and results of       | it waits for `takeResults`, and ends with them                           |
 * |           | earlier leases were not read             |                                                                          |
 */
export interface ItemScopes {
  /** The scope of the flow itself. */
  readonly root: ScopeProgress
  /** Scopes whose steps may run. */
  open(): readonly OpenScope[]
  /** Records a finished step. The error ends the item. */
  take(finished: FinishedStep): TakenStep
  /** The paths of containers that end as soon as the unread results of their scopes are given to `takeResults`. */
  lacking(): readonly string[]
  /** Ends a container of `lacking`, with the stored ends of its scopes. The error ends the item. */
  takeResults(container: string, ends: readonly StepOutcome[]): TakenStep
  isFinished(): boolean
  /** Aborts nested scopes, and releases the memory budget. */
  close(): void
  /** What follows from stored outcomes alone: a container whose scopes had all ended. */
  readonly restored: TakenStep
}

export interface ItemScopesOptions {
  /** The flow of the execution. */
  readonly flow: FlowRef
  readonly graph: Graph
  readonly item: number
  /** Whether events and errors name the item. */
  readonly isBatch: boolean
  readonly context: Scope['context']
  readonly memory: Scope['memory']
  /** Aborts the steps of the item when it ends. */
  readonly ended: AbortController | undefined
  readonly rules: Rules
  readonly memoryBudget: MemoryBudget
  readonly totals: Pick<Totals, 'requireItems' | 'scopeOpened' | 'scopeEnded'>
  readonly journal: Journal
  readonly nextSeq: () => number
  /** The costs of the execution. Called when a scope with a budget opens. */
  readonly ledger: () => Ledger
  readonly subFlows: SubFlows
  /** The rules inside a flow that a step runs. */
  readonly rulesIn: (definition: FlowDefinition) => Rules
  /** Outcomes of earlier leases, ordered by `seq`: those of open scopes, and the ends of the others. */
  readonly outcomes: readonly StepOutcome[]
  /** Scopes that ended in earlier leases and are not among the outcomes. */
  readonly unread: readonly UnreadScopes[]
}

export function createItemScopes(options: ItemScopesOptions): ItemScopes {
  const { item, isBatch, rules, memoryBudget, totals, journal, nextSeq, outcomes, unread, subFlows } = options
  const itemField = isBatch ? { item } : {}
  const stored = Map.groupBy(outcomes, ({ stepId }) => scopeOfPath(stepId))
  const storedEnds = Map.groupBy(
    outcomes.filter(({ stepId }) => idOfPath(stepId) === endRow),
    ({ stepId }) => containerOfScope(scopeOfPath(stepId)),
  )
  /** By path, in the order in which they opened. */
  const nodes = new Map<string, ScopeNode>()
  let places: readonly OpenScope[] = []
  /** Containers that can only end with results that were not read, by path, and when they were to end. */
  const lacking = new Map<string, { readonly container: OpenContainer; readonly at: Date }>()

  function addNode(
    path: string,
    parts: Pick<
      ScopeNode,
      'graph' | 'rules' | 'flow' | 'callers' | 'ledger' | 'isContained' | 'within' | 'openedAt'
    > & {
      readonly outer?: ScopeProgressOptions['outer']
      readonly context: Scope['context']
      readonly memory: Scope['memory']
      readonly ended: AbortController | undefined
    },
  ): ScopeNode {
    const { within } = parts
    const fields = within === undefined ? itemField : { ...itemField, ...fieldsOf(within) }
    const before = stored.get(path) ?? []
    stored.delete(path)
    const progress = createScopeProgress({
      ...parts,
      item,
      path,
      fields,
      isBatch,
      memoryBudget,
      journal,
      nextSeq,
      outcomes: before,
    })
    const { flow, callers, ended, ledger } = parts
    const budget = ledger?.callBudget
    const place = { item, path, fields, progress, rules: parts.rules, flow, callers, ended, budget }
    const node = { ...parts, place, progress, usage: sumUsage(before) }
    nodes.set(path, node)
    if (within !== undefined) totals.scopeOpened()
    places = [...nodes.values()].map((open) => open.place)
    return node
  }

  /** Ends a scope: aborts what runs in it, and releases its memory. Nested scopes end with it. */
  function closeNode(node: ScopeNode): void {
    for (const other of nodes.values()) {
      if (other.within?.container.node === node) closeNode(other)
    }
    nodes.delete(node.place.path)
    places = [...nodes.values()].map((open) => open.place)
    if (node.within !== undefined) {
      node.place.ended?.abort(scopeEnded)
      totals.scopeEnded()
    }
    node.progress.close()
  }

  /** Goes on after outcomes of a scope. Returns the error that ends the item. */
  function settle(node: ScopeNode, taken: TakenStep, at: Date, made: StepOutcome[]): StoredError | undefined {
    made.push(...taken.outcomes)
    const { within } = node
    if (within === undefined) return taken.error
    node.usage = addUsage(node.usage, sumUsage(taken.outcomes))
    if (taken.error !== undefined && isFatal(taken.error)) return taken.error
    if (taken.error === undefined && !node.progress.isFinished()) return undefined
    return endScope(node, taken.error ?? null, at, made) ?? advance(within.container, at, made)
  }

  /** Closes a scope and stores its end. Returns the error that ends the item: a limit of the execution. */
  function endScope(
    node: ScopeNode,
    error: StoredError | null,
    at: Date,
    made: StepOutcome[],
  ): StoredError | undefined {
    const { within, usage, openedAt, place } = node
    if (within === undefined) return undefined
    const { container, index } = within
    const end = error === null ? resultOf(node, container, journal) : { error, result: null }
    if (end.error !== null && isFatal(end.error)) return end.error
    container.open.delete(index)
    closeNode(node)
    container.usage = addUsage(container.usage, usage)
    const fatal = keepResult(container, { index, end, memoryBudget })
    if (fatal !== undefined) return fatal
    made.push(
      containerRow({
        stepId: `${place.path}${endRow}`,
        item,
        seq: nextSeq(),
        startedAt: openedAt,
        finishedAt: at,
        output: end.result,
        error: end.error,
        usage,
        aborted: !container.isContained,
        isOnlyLast: container.run.keepsLast,
      }),
    )
    journal.add('scope_finished', {
      // First: the fields of the scope around the container have an index of their own.
      ...container.node.place.fields,
      step_id: container.path,
      index,
      success: end.error === null,
      finished: container.ended.size,
      total: container.run.total,
      ...(end.error !== null && { error: end.error }),
    })
    return undefined
  }

  /** Opens scopes while the container may have more, or ends the container. Returns the error that ends the item. */
  function advance(container: OpenContainer, at: Date, made: StepOutcome[]): StoredError | undefined {
    for (;;) {
      const open = new Set(container.open.keys())
      const next = container.run.next({ open, ended: container.ended, failed: container.failed })
      const isFull = nodes.size >= maxOpenScopes.parallel && container.open.size > 0
      if (next.kind === 'wait' || (next.kind === 'open' && isFull)) return undefined
      if (next.kind !== 'open' && container.unread !== undefined) {
        lacking.set(container.path, { container, at })
        return undefined
      }
      if (next.kind !== 'open') return endContainer(container, next, at, made)
      const excess = excessOf(() => totals.requireItems(1, container.path), container)
      if (excess !== undefined) return excess
      const node = openScope(container, next.scope, at)
      const fatal = restoreContainers(node, at, made)
      if (fatal !== undefined) return fatal
      // A stored scope may have ended without a stored end, after the failure of the container was removed to recover it.
      const isEnded = nodes.get(node.place.path) === node && node.progress.isFinished()
      const error = isEnded ? endScope(node, null, at, made) : undefined
      if (error !== undefined) return error
    }
  }

  function openScope(container: OpenContainer, spec: ScopeSpec, at: Date): ScopeNode {
    const { index, memory, budget, graph = container.graph, flow } = spec
    const { node: around, isContained, ledger } = container
    const { scope } = around.progress
    const path = `${container.path}/${index}/`
    const spentBefore = spentIn(stored.get(path) ?? [])
    const node = addNode(path, {
      graph,
      isContained,
      ledger:
        budget === undefined
          ? ledger
          : (ledger ?? options.ledger()).scope(budget, { name: path.slice(0, -1), spentBefore }),
      within: { container, index },
      openedAt: at,
      rules: flow === undefined ? around.rules : options.rulesIn(flow.definition),
      flow: flow === undefined ? around.flow : flow.ref,
      callers: flow === undefined ? around.callers : [...around.callers, flow.ref.id],
      outer: flow === undefined ? around.progress : { endedBefore: (id) => around.progress.endedBefore(id) },
      context: flow === undefined ? scope.context : flow.context,
      memory,
      ended: new AbortController(),
    })
    container.open.set(index, node)
    return node
  }

  function endContainer(
    container: OpenContainer,
    next: Extract<NextScope, { readonly kind: 'completed' | 'failed' }>,
    at: Date,
    made: StepOutcome[],
  ): StoredError | undefined {
    const { node, step, startedAt, attempts, run, ended } = container
    for (const open of container.open.values()) {
      container.usage = addUsage(container.usage, open.usage)
      closeNode(open)
    }
    memoryBudget.release(container.bytes)
    const { usage } = container
    const end: StepEnd =
      next.kind === 'failed'
        ? endWith(next.failure, step, node.rules.onFailureOf(step), usage, attempts)
        : { kind: 'completed', result: plainResult(next.output, next.details), usage, attempts }
    const failed = [...ended.values()].filter(({ error }) => error !== null).length
    const details = { nested: { total: run.total, completed: ended.size - failed, failed } }
    const finished = { step, path: node.place.path, item, cpuMs: 0, startedAt, endedAt: at, end, details }
    return settle(node, node.progress.take(finished), at, made)
  }

  /** Opens a container whose input was evaluated. */
  function startContainer(
    node: ScopeNode,
    step: ContainerStep,
    opened: { readonly record: unknown; readonly startedAt: Date; readonly attempts: number },
  ): OpenContainer {
    const { record, startedAt, attempts } = opened
    const path = `${node.place.path}${step.id}`
    const bytes = sizeOf(record)
    if (nodes.size >= maxOpenScopes.total) throw tooManyScopes(path, nodes.size)
    if (bytes > maxOutputBytes) throw tooLarge(`The input of "${path}"`, bytes)
    memoryBudget.reserve(bytes, `the input of "${path}"`)
    const openBudget = (microDollars: number) =>
      (node.ledger ?? options.ledger()).scope(microDollars, {
        name: path,
        spentBefore: spentBelow(outcomes, unread, path),
      })
    return createOpenContainer({ path, step, node, record, startedAt, attempts, bytes, openBudget }, subFlows)
  }

  function takeOpened(
    node: ScopeNode,
    finished: FinishedStep & { readonly step: ContainerStep },
    end: Extract<StepEnd, { readonly kind: 'completed' }>,
    made: StepOutcome[],
  ): StoredError | undefined {
    const { step, startedAt, endedAt } = finished
    const { attempts, result } = end
    let container: OpenContainer
    try {
      container = startContainer(node, step, { record: result.output, startedAt, attempts })
      // Of other containers, the total is what they may have at most.
      if (kindOf(step).container?.isSequential !== true)
        totals.requireItems(container.run.total, container.path)
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      const failed: StepEnd = { kind: 'aborted', failure: error, usage: end.usage, attempts }
      return settle(node, node.progress.take({ ...finished, end: failed }), endedAt, made)
    }
    made.push(
      containerRow({
        stepId: `${container.path}/${openRow}`,
        item,
        seq: nextSeq(),
        startedAt,
        finishedAt: endedAt,
        output: result.output,
        error: null,
        total: container.run.total,
        needsResultsAtEnd: container.run.needsResultsAtEnd,
        flow: container.run.flow,
      }),
    )
    return advance(container, endedAt, made)
  }

  /** Opens the containers of a scope that earlier leases had opened. Returns the error that ends the item. */
  function restoreContainers(node: ScopeNode, at: Date, made: StepOutcome[]): StoredError | undefined {
    for (const step of node.graph.steps.values()) {
      if (!isContainer(step) || !node.progress.isWaiting(step)) continue
      const path = `${node.place.path}${step.id}`
      const opened = stored.get(`${path}/`)?.find(({ stepId }) => idOfPath(stepId) === openRow)
      if (opened === undefined) continue
      node.progress.start(step)
      const { output: record, finishedAt, attempts } = opened
      const startedAt = opened.startedAt ?? finishedAt
      const container = startContainer(node, step, { record, startedAt, attempts })
      for (const { stepId, error, output, details } of storedEnds.get(path) ?? []) {
        stored.delete(scopeOfPath(stepId))
        container.usage = addUsage(container.usage, details.usage ?? noUsage)
        const fatal = keepResult(container, {
          index: indexOfScope(scopeOfPath(stepId)),
          end: { error, result: output },
          memoryBudget,
        })
        if (fatal !== undefined) return fatal
      }
      const error = restoreUnread(container) ?? goOn(container, at, made)
      if (error !== undefined) return error
    }
    return undefined
  }

  function restoreUnread(container: OpenContainer): StoredError | undefined {
    const ended = unread.find((scopes) => scopes.container === container.path)
    return ended === undefined ? undefined : addUnread(container, ended, memoryBudget)
  }

  /** Of a step that recovery has given another type, the results may be needed to go on. */
  function goOn(container: OpenContainer, at: Date, made: StepOutcome[]): StoredError | undefined {
    if (container.unread === undefined || container.run.needsResultsAtEnd === true)
      return advance(container, at, made)
    lacking.set(container.path, { container, at })
    return undefined
  }

  const root = addNode('', {
    graph: options.graph,
    rules,
    flow: options.flow,
    callers: [],
    ledger: undefined,
    isContained: false,
    within: undefined,
    openedAt: new Date(0),
    context: options.context,
    memory: options.memory,
    ended: options.ended,
  })
  const restoredOutcomes: StepOutcome[] = []
  const lastAt = lastEndOf(outcomes, unread)
  const restoredError =
    lastAt === undefined || options.graph.nested.size === 0
      ? undefined
      : restoreContainers(root, lastAt, restoredOutcomes)

  return {
    root: root.progress,
    restored: { outcomes: restoredOutcomes, error: restoredError },
    open: () => places,
    take(finished) {
      const node = nodes.get(finished.path)
      // The scope has ended in the meantime.
      if (node === undefined) return { outcomes: [], error: undefined }
      const { step, end, endedAt } = finished
      const made: StepOutcome[] = []
      const error =
        isContainer(step) && end.kind === 'completed' && end.fallback === undefined
          ? takeOpened(node, { ...finished, step }, end, made)
          : settle(node, node.progress.take(finished), endedAt, made)
      return { outcomes: made, error }
    },
    lacking: () => [...lacking.keys()],
    takeResults(path, ends) {
      const waiting = lacking.get(path)
      lacking.delete(path)
      // A scope around it has ended in the meantime.
      if (waiting === undefined || nodes.get(waiting.container.node.place.path) !== waiting.container.node)
        return { outcomes: [], error: undefined }
      const made: StepOutcome[] = []
      addResults(waiting.container, ends)
      const error = advance(waiting.container, waiting.at, made)
      return { outcomes: made, error }
    },
    isFinished: () => root.progress.isFinished(),
    close: () => closeNode(root),
  }
}

/** When the last outcome of earlier leases ended; undefined: there is none. */
function lastEndOf(outcomes: readonly StepOutcome[], unread: readonly UnreadScopes[]): Date | undefined {
  const last = outcomes.at(-1)
  const ends = unread.map(({ lastSeq: seq, lastAt: at }) => ({ seq, at }))
  if (last !== undefined) ends.push({ seq: last.seq, at: last.finishedAt })
  return ends.sort((left, right) => left.seq - right.seq).at(-1)?.at
}
