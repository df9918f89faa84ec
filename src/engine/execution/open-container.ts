import { indexOfScope, isContainerRow, isGenerated, scopeOfPath } from '../definition/nested-steps.ts'
import { type ContainerStep, kindOf, type Step } from '../definition/step-types.ts'
import type { Scope } from '../expressions/paths.ts'
import { fillValue, reportMissing } from '../expressions/templates.ts'
import type { Graph } from '../graph/graph.ts'
import { noUsage, StepFailure, type StepUsage } from '../steps/step-failure.ts'
import type { Journal, StepOutcome, StoredError } from '../store/commit.ts'
import type { ContainerRun, ScopeResult } from './containers/container.ts'
import { withValues } from './containers/generated-steps.ts'
import { driverOf } from './containers/index.ts'
import type { Ledger } from './ledger.ts'
import { type MemoryBudget, megabytes, type Rules } from './rules.ts'
import { addUsage, errorOf, type OpenScope } from './running-steps.ts'
import type { ScopeProgress } from './scope.ts'
import { maxOutputBytes, sizeOf } from './shared-memory.ts'
import type { FlowRef, SubFlows } from './sub-flows.ts'

/** An open scope. */
export interface ScopeNode {
  readonly place: OpenScope
  readonly progress: ScopeProgress
  readonly graph: Graph
  readonly rules: Rules
  /** The flow whose definition has its steps. */
  readonly flow: FlowRef
  /** The sub-flows around its steps, the outermost first. */
  readonly callers: readonly string[]
  readonly ledger: Ledger | undefined
  readonly isContained: boolean
  /** The container it belongs to, and its number; undefined for the flow itself. */
  readonly within: { readonly container: OpenContainer; readonly index: number } | undefined
  readonly openedAt: Date
  usage: StepUsage
}

/** An open container. */
export interface OpenContainer {
  readonly path: string
  readonly step: ContainerStep
  readonly node: ScopeNode
  readonly graph: Graph
  readonly run: ContainerRun
  /** Its own budget, or that around it. */
  readonly ledger: Ledger | undefined
  readonly isContained: boolean
  readonly startedAt: Date
  readonly attempts: number
  readonly open: Map<number, ScopeNode>
  readonly ended: Map<number, ScopeResult>
  failed: { readonly index: number; readonly error: StoredError } | undefined
  usage: StepUsage
  /** Scopes that ended in earlier leases, whose results were not read; undefined: none. */
  unread: UnreadScopes | undefined
  /** Bytes of its record and of the results so far. */
  bytes: number
  resultBytes: number
}

interface OpenContainerOptions
  extends Pick<OpenContainer, 'path' | 'step' | 'node' | 'startedAt' | 'attempts' | 'bytes'> {
  /** Its evaluated input. */
  readonly record: unknown
  /** Opens a budget for all its scopes together. */
  readonly openBudget: (microDollars: number) => Ledger
}

/** A container without scopes so far. */
export function createOpenContainer(
  { record, openBudget, ...options }: OpenContainerOptions,
  flows: SubFlows,
): OpenContainer {
  const { path, step, node } = options
  const graph = node.graph.nested.get(step.id)
  if (graph === undefined) throw new Error(`the container "${path}" has no steps`)
  const run = driverOf(step).start(step, record, flows)
  return {
    ...options,
    graph,
    run,
    ledger: run.budget === undefined ? node.ledger : openBudget(run.budget),
    isContained: node.isContained || handlesFailures(step, node.rules),
    open: new Map(),
    ended: new Map(),
    failed: undefined,
    usage: noUsage,
    unread: undefined,
    resultBytes: 0,
  }
}

/** The result of a scope without an error; its template may still fail. */
export function resultOf(
  { progress, graph, place }: ScopeNode,
  { run, path }: OpenContainer,
  journal: Pick<Journal, 'add'>,
): ScopeResult {
  const { isKept, template, wrap = (result) => result } = run.result
  const { scope } = progress
  if (!isKept) return { error: null, result: null }
  if (template === undefined)
    return { error: null, result: wrap(lastOutputs(graph, scope.steps), scope.steps) }
  try {
    const { value, missing } = fillValue(template, withValues(template, scope))
    reportMissing(
      {
        failedProducerOf: progress.failedProducerOf,
        log: (level, message, details) =>
          journal.add('log', { level, message, step: path, details, ...place.fields }),
      },
      missing,
    )
    return { error: null, result: wrap(value, scope.steps) }
  } catch (error) {
    if (error instanceof StepFailure) return { error: { ...errorOf(error), step: path }, result: null }
    throw error
  }
}

/** The result of a container: its work is described by its steps. */
export function plainResult(output: unknown, details: Readonly<Record<string, unknown>> = {}) {
  return { output, confidence: null, quality: null, usage: noUsage, details }
}

/** The fields by which events name a scope. */
export function fieldsOf({ container, index }: NonNullable<ScopeNode['within']>) {
  return { parent_step_id: container.path, index }
}

/** Whether the execution continues when a scope of the container fails. */
function handlesFailures(step: ContainerStep, { onFailureOf }: Pick<Rules, 'onFailureOf'>): boolean {
  const collects = kindOf(step).container?.collectsErrors(step) === true
  const onFailure = onFailureOf(step)
  return collects || step.on_error !== undefined || onFailure === 'continue' || onFailure === 'fallback'
}

export function sumUsage(outcomes: readonly StepOutcome[]): StepUsage {
  return outcomes
    .filter(({ stepId }) => !isContainerRow(stepId))
    .reduce((sum, { details }) => addUsage(sum, details.usage ?? noUsage), noUsage)
}

/** The costs of a scope so far, from its own outcomes; that of a container includes its steps. */
export function spentIn(outcomes: readonly StepOutcome[]): number {
  return outcomes.reduce((sum, { stepId, spent }) => sum + (isContainerRow(stepId) ? 0 : (spent ?? 0)), 0)
}

/**
 * What the steps inside a container have cost. Of scopes and containers inside that have ended, only their own rows are loaded, which
 * include the costs of their steps.
 */
export function spentBelow(
  outcomes: readonly Pick<StepOutcome, 'stepId' | 'spent'>[],
  unread: readonly Pick<UnreadScopes, 'container' | 'spent'>[],
  path: string,
): number {
  const isInside = (other: string) => other.startsWith(`${path}/`)
  const read = outcomes.filter(({ stepId }) => isInside(stepId))
  const others = unread.filter(({ container }) => isInside(`${container}/`))
  return [...read, ...others].reduce((sum, { spent }) => sum + (spent ?? 0), 0)
}

/** The output of the last step, or the outputs of all last steps by id: those that no completed step depends on. */
function lastOutputs({ steps }: Graph, outputs: Scope['steps']): unknown {
  const completed = [...steps.values()].filter(({ id }) => Object.hasOwn(outputs, id) && !isGenerated(id))
  const needed = new Set(completed.flatMap(({ dependencies = [] }) => dependencies))
  const last = completed.filter((step) => !needed.has(step.id) && !isDecision(step))
  const [only, ...more] = last
  if (only === undefined) return null
  return more.length === 0 ? outputs[only.id] : Object.fromEntries(last.map(({ id }) => [id, outputs[id]]))
}

function isDecision(step: Step): boolean {
  return kindOf(step).traits.decides === 'always'
}

interface EndedScope {
  readonly index: number
  readonly end: ScopeResult
  readonly memoryBudget: MemoryBudget
}

/** Keeps the result of a scope. Returns the error that ends the execution when the results exceed a memory limit. */
export function keepResult(
  container: OpenContainer,
  { index, end, memoryBudget }: EndedScope,
): StoredError | undefined {
  if (container.run.keepsLast === true) forgetResult(container, index - 1, memoryBudget)
  container.ended.set(index, end)
  if (end.error !== null) container.failed ??= { index, error: end.error }
  return reserveResults(container, end.result === null ? 4 : sizeOf(end.result), memoryBudget)
}

/** Scopes of an open container that have ended, and were not read because only the end of the container needs their results. */
export interface UnreadScopes {
  readonly item: number
  /** The path of the container, such as `each`. */
  readonly container: string
  /** The numbers of the scopes, as ranges: the first and the last of each. */
  readonly ranges: readonly (readonly [first: number, last: number])[]
  /** The bytes of their results. */
  readonly bytes: number
  readonly spent: number
  /** The first one that failed. */
  readonly failed: OpenContainer['failed'] | null
  /** The `seq` and the time of the last end. */
  readonly lastSeq: number
  readonly lastAt: Date
}

/**
 * Counts scopes as ended whose results were not read; `addResults` completes them. The results count towards the limits of memory as if
 * they were here: an execution exceeds them at the same item, with or without a resume.
 */
export function addUnread(
  container: OpenContainer,
  unread: UnreadScopes,
  memoryBudget: MemoryBudget,
): StoredError | undefined {
  container.unread = unread
  for (const index of numbersOf(unread)) container.ended.set(index, { error: null, result: null })
  container.failed = unread.failed ?? undefined
  if (container.failed !== undefined)
    container.ended.set(container.failed.index, { error: container.failed.error, result: null })
  return reserveResults(container, unread.bytes, memoryBudget)
}

/** Adds the results that `addUnread` left out, from the stored ends of the scopes. */
export function addResults(container: OpenContainer, ends: readonly StepOutcome[]): void {
  const numbers = new Set(container.unread === undefined ? [] : numbersOf(container.unread))
  container.unread = undefined
  for (const { stepId, error, output, details } of ends) {
    const index = indexOfScope(scopeOfPath(stepId))
    if (!numbers.has(index)) continue
    container.usage = addUsage(container.usage, details.usage ?? noUsage)
    container.ended.set(index, { error, result: output })
  }
}

export function numbersOf({ ranges }: UnreadScopes): number[] {
  return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, nth) => first + nth))
}

function reserveResults(
  container: OpenContainer,
  bytes: number,
  memoryBudget: MemoryBudget,
): StoredError | undefined {
  return excessOf(() => {
    container.resultBytes += bytes
    requireOutputSize(container)
    memoryBudget.reserve(bytes, `the results of "${container.path}"`)
    container.bytes += bytes
  }, container)
}

/** The error that ends the execution when a container exceeds one of its limits. */
export function excessOf(
  requireLimit: () => void,
  { path }: Pick<OpenContainer, 'path'>,
): StoredError | undefined {
  try {
    requireLimit()
    return undefined
  } catch (error) {
    if (error instanceof StepFailure) return { ...errorOf(error), step: path }
    throw error
  }
}

function forgetResult(container: OpenContainer, index: number, memoryBudget: MemoryBudget): void {
  const known = container.ended.get(index)
  if (known === undefined) return
  container.ended.set(index, { ...known, result: null })
  memoryBudget.release(container.resultBytes)
  container.bytes -= container.resultBytes
  container.resultBytes = 0
}

function requireOutputSize({ path, resultBytes }: OpenContainer): void {
  if (resultBytes > maxOutputBytes) throw tooLarge(`The results of "${path}" together`, resultBytes)
}

export function tooLarge(what: string, bytes: number): StepFailure {
  return new StepFailure({
    code: 'MEMORY_LIMIT_EXCEEDED',
    message: `${what} are more than ${megabytes(maxOutputBytes)}. Return less, or set keep_results of a for_each to false.`,
    details: { bytes, limit_bytes: maxOutputBytes },
  })
}

export function tooManyScopes(path: string, open: number): StepFailure {
  return new StepFailure({
    code: 'MEMORY_LIMIT_EXCEEDED',
    message: `"${path}" cannot start: ${open} items, iterations and sub-flows are open already. Run fewer of them in parallel.`,
    details: { open_scopes: open },
  })
}
