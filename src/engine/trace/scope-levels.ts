import type { Database } from '#kernel/database'
import { redactCredentials } from '../definition/credentials.ts'
import {
  containerOfScope,
  idOfPath,
  isGenerated,
  openRow,
  scopeOfPath,
  stepAtPath,
} from '../definition/nested-steps.ts'
import { type ContainerStep, childrenOf, isContainer, type Step } from '../definition/step-types.ts'
import { driverOf } from '../execution/containers/index.ts'
import { flowCallStep } from '../execution/containers/tool-agent.ts'
import { createFlowAt, createLoadedFlows } from '../execution/sub-flows.ts'
import type { FlowVersions } from '../flows/read-flows.ts'
import type { StepOutcome } from '../store/commit.ts'
import type { LargeOutputs } from '../store/large-outputs.ts'

/** One level of nesting on the way to a scope. */
export interface Level {
  /** Precedes the ids of the steps around the container. */
  readonly around: string
  readonly container: ContainerStep
  readonly index: number
  /** The steps of the scope, with those that the engine adds; credentials are redacted. */
  readonly steps: readonly Step[]
}

export interface NestedRead {
  readonly database: Pick<Database, 'query'>
  readonly outputs: Pick<LargeOutputs, 'read'>
  readonly versions: Pick<FlowVersions, 'read' | 'graphOf'>
}

interface NestedAddress {
  /** The execution. */
  readonly id: string
  readonly item: number
  readonly path: string
  /** The steps of the flow, with redacted credentials. */
  readonly steps: readonly Step[]
}

type StepsInside = (container: Step, path: string) => readonly Step[]

/** The containers around a scope, the outermost first; none when the path is not that of a scope. */
export async function readLevels(read: NestedRead, address: NestedAddress): Promise<Level[]> {
  const parts = address.path.split('/')
  if (parts.length % 2 !== 0) return []
  const stepsInside = await readStepsInside(read, address)
  const levels: Level[] = []
  for (let at = 0; at < parts.length; at += 2) {
    const path = parts.slice(0, at + 1).join('/')
    const index = Number(parts[at + 1])
    const container = stepAtPath(address.steps, path, stepsInside)
    if (container === undefined || !isContainer(container)) return []
    levels.push({
      around: path.slice(0, -container.id.length),
      container,
      index,
      steps: [
        ...(driverOf(container).graphOf?.(container, index)?.steps.values() ?? stepsInside(container, path)),
      ],
    })
  }
  return levels
}

/** The container at a path; undefined when there is none. */
export async function readContainer(
  read: NestedRead,
  address: NestedAddress,
): Promise<ContainerStep | undefined> {
  const step = stepAtPath(address.steps, address.path, await readStepsInside(read, address))
  return step !== undefined && isContainer(step) ? step : undefined
}

/** Flows that containers on the way run are named by the rows of their input. */
async function readStepsInside(
  { database, versions }: NestedRead,
  { id, item, path }: NestedAddress,
): Promise<StepsInside> {
  const parts = path.split('/')
  const containers = parts
    .filter((_, at) => at % 2 === 0)
    .map((_, nth) => parts.slice(0, nth * 2 + 1).join('/'))
  const opened = await database.query<Pick<StepOutcome, 'stepId' | 'details'>>(
    `
      select step_id as "stepId", details from engine_outcomes
      where execution_id = $1 and item = $2 and step_id = any($3::text[]) and (details -> 'flow') is not null
    `,
    [id, item, containers.map((container) => `${container}/${openRow}`)],
  )
  const flows = createLoadedFlows(versions, (ref) => versions.read(ref.id, ref.version))
  await flows.load(opened)
  const flowAt = createFlowAt(opened, flows)
  return (container, at) => {
    const flow = flowAt(at)
    if (flow !== undefined) return redactCredentials(flow.definition).steps
    const calls = containers.flatMap((call) => (isFlowCall(call, at) ? [idOfPath(call)] : []))
    return [...childrenOf(container), ...calls.map(flowCallStep)]
  }
}

/** Whether a path is that of a generated step below a container: an agent's call of a flow. */
function isFlowCall(path: string, container: string): boolean {
  return isGenerated(idOfPath(path)) && containerOfScope(scopeOfPath(path)) === container
}
