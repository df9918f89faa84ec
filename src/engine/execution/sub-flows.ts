import type { FlowDefinition } from '../definition/flow.ts'
import { idOfPath, openRow, scopeOfPath } from '../definition/nested-steps.ts'
import type { Step } from '../definition/step-types.ts'
import type { Flow, FlowVersions } from '../flows/read-flows.ts'
import type { Graph } from '../graph/graph.ts'
import type { AccountStatus } from '../schedules/run-due.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { StepOutcome } from '../store/commit.ts'

/** A version of a flow. */
export interface FlowRef {
  readonly id: string
  readonly version: number
}

export interface LoadedFlow {
  readonly ref: FlowRef
  readonly definition: FlowDefinition
  readonly graph: Graph
}

/** Flows that outcomes name, each loaded once. */
export interface LoadedFlows {
  /** Loads the flows that outcomes name. */
  load(outcomes: readonly Pick<StepOutcome, 'stepId' | 'details'>[]): Promise<void>
  /** A flow that was loaded. */
  get(ref: FlowRef): LoadedFlow
}

/** The flows that steps of one execution run. Each version is pinned when its step starts: the stored input of the step names it. */
export interface SubFlows extends LoadedFlows {
  /** Loads the flow that a step is to run. Throws INVALID_STEP when it does not exist, is disabled, runs itself, or the account may not run flows. */
  open(wanted: WantedFlow, caller: SubFlowCaller): Promise<LoadedFlow>
}

interface WantedFlow {
  readonly id: string
  /** Default: the current version. */
  readonly version?: number | undefined
}

interface SubFlowCaller {
  readonly accountId: string
  /** The flows around the step, the outermost first. */
  readonly callers?: readonly string[] | undefined
}

export interface SubFlowsOptions {
  readonly versions: Pick<FlowVersions, 'read' | 'graphOf'>
  /** The current or another version; undefined: the flow does not exist, or was deleted. */
  readonly findFlow: (
    id: string,
    version: number | undefined,
  ) => Promise<Pick<Flow, 'version' | 'disabledAt'> | undefined>
  readonly accountStatusOf: (accountId: string) => Promise<AccountStatus>
}

/** Sub-flows inside sub-flows, at most. */
export const maxSubFlowDepth = 5

export function createSubFlows({ versions, findFlow, accountStatusOf }: SubFlowsOptions): SubFlows {
  const loaded = createLoadedFlows(versions, (ref) => versions.read(ref.id, ref.version))
  const asked = new Map<string, Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()

  /** Asks one question after the other, and the same question once: parallel steps must not take all connections of the database. */
  async function askOnce<Value>(name: string, ask: () => Promise<Value>): Promise<Value> {
    const known = asked.get(name) as Promise<Value> | undefined
    if (known !== undefined) return await known
    const asking = last.then(ask, ask).finally(() => asked.delete(name))
    last = asking
    asked.set(name, asking)
    return await asking
  }

  return {
    ...loaded,
    async open({ id, version }, { accountId, callers = [] }) {
      requireNoRecursion(id, callers)
      const status = await askOnce(`account ${accountId}`, () => accountStatusOf(accountId))
      if (status !== 'permitted')
        throw refused('The account of the execution may not run flows any more.', id)
      const found = await askOnce(`flow ${version ?? ''} ${id}`, () => findFlow(id, version))
      if (found?.disabledAt === null) return await loaded.add({ id, version: found.version })
      if (found !== undefined) throw refused(`The flow "${id}" is disabled. Enable it to run it.`, id)
      throw refused(
        version === undefined
          ? `There is no flow "${id}". Create it, or choose another one.`
          : `There is no version ${version} of a flow "${id}". Choose another one.`,
        id,
      )
    },
  }
}

/** Flows by version. `read` throws when a version does not exist. */
export function createLoadedFlows(
  versions: Pick<FlowVersions, 'graphOf'>,
  read: (ref: FlowRef) => Promise<FlowDefinition>,
): LoadedFlows & { add(ref: FlowRef): Promise<LoadedFlow> } {
  const loaded = new Map<string, LoadedFlow>()

  async function add(ref: FlowRef): Promise<LoadedFlow> {
    const known = loaded.get(nameOf(ref))
    if (known !== undefined) return known
    const definition = await read(ref)
    const flow = { ref, definition, graph: versions.graphOf(definition) }
    loaded.set(nameOf(ref), flow)
    return flow
  }

  return {
    add,
    async load(outcomes) {
      for (const outcome of outcomes) {
        const ref = flowOf(outcome)
        if (ref !== undefined) await add(ref)
      }
    },
    get(ref) {
      const flow = loaded.get(nameOf(ref))
      if (flow === undefined) throw new Error(`version ${ref.version} of the flow ${ref.id} was not loaded`)
      return flow
    },
  }
}

function nameOf({ id, version }: FlowRef): string {
  return `${version} ${id}`
}

function requireNoRecursion(id: string, callers: readonly string[]): void {
  if (callers.includes(id)) {
    const way = [...callers, id].map((flow) => `"${flow}"`).join(' → ')
    throw refused(`The flow "${id}" would run itself: ${way}. Use repeat_until to repeat steps.`, id)
  }
  // The first caller is the flow of the execution.
  if (callers.length <= maxSubFlowDepth) return
  throw refused(`Sub-flows can be nested ${maxSubFlowDepth} deep, and "${id}" would be deeper.`, id)
}

function refused(message: string, flow: string): StepFailure {
  return new StepFailure({ code: 'INVALID_STEP', message, details: { flow } })
}

/** The flow that a container has opened, from the row of its input; undefined for all other rows. */
function flowOf({ stepId, details }: Pick<StepOutcome, 'stepId' | 'details'>): FlowRef | undefined {
  return idOfPath(stepId) === openRow ? (details['flow'] as FlowRef | undefined) : undefined
}

/** Finds the step of an outcome. Of the steps of a sub-flow, the row that names the flow must be given before. */
export type StepFinder = (outcome: Pick<StepOutcome, 'stepId' | 'item' | 'details'>) => Step | undefined

export function createStepFinder(
  { everyStep }: Pick<Graph, 'everyStep'>,
  graphOf: (ref: FlowRef) => Pick<Graph, 'everyStep'>,
): StepFinder {
  /** By item and the path inside the container. */
  const opened = new Map<string, Pick<Graph, 'everyStep'>>()

  function stepsAround(item: number, path: string): Graph['everyStep'] {
    for (let at = scopeOfPath(path); at !== ''; at = scopeOfPath(at.slice(0, -1))) {
      const inside = opened.get(`${item} ${at}`)
      if (inside !== undefined) return inside.everyStep
    }
    return everyStep
  }

  return (outcome) => {
    const { item, stepId } = outcome
    const ref = stepId.includes('/') ? flowOf(outcome) : undefined
    if (ref !== undefined) opened.set(`${item} ${scopeOfPath(stepId)}`, graphOf(ref))
    return (opened.size === 0 ? everyStep : stepsAround(item, stepId)).get(idOfPath(stepId))
  }
}

/** Finds the flow that a container with a path has opened, in any item of a batch. */
export function createFlowAt(
  outcomes: readonly Pick<StepOutcome, 'stepId' | 'details'>[],
  { get }: Pick<LoadedFlows, 'get'>,
): (path: string) => LoadedFlow | undefined {
  const opened = new Map(
    outcomes.flatMap((outcome) => {
      const ref = flowOf(outcome)
      return ref === undefined ? [] : [[scopeOfPath(outcome.stepId).slice(0, -1), ref] as const]
    }),
  )
  return (path) => {
    const ref = opened.get(path)
    return ref === undefined ? undefined : get(ref)
  }
}
