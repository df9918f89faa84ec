import type { Problem } from '#kernel/errors'
import { checkFlow } from '../definition/check-flow.ts'
import type { FlowDefinition } from '../definition/flow.ts'
import { placedSteps } from '../definition/nested-steps.ts'
import { maxSubFlowDepth } from '../execution/sub-flows.ts'
import type { Flow } from './read-flows.ts'

/** Reads the current or another version of a flow. Undefined: it does not exist. */
export type ReadSubFlow = (
  id: string,
  version?: number,
) => Promise<Pick<Flow, 'definition' | 'metadata'> | undefined>

interface CheckedSubFlows {
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
}

/** Flows that are read for the check of one flow. The rest is checked when it runs. */
const maxRead = 50

interface FoundFlow {
  readonly flow: Pick<Flow, 'definition' | 'metadata'> | undefined
  /** Paths that its context must have. */
  readonly requiredInputs: readonly string[]
}

/** Flows that run each other, the outermost first. */
interface Way {
  readonly flows: readonly string[]
  /** Whether the last flow is one of those before. */
  readonly isCircle: boolean
}

/**
 * Checks the flows that the steps of a flow run, as they are now: a flow that would run itself, also through others, and flows nested too
 * deep are problems; the rest may change before the flow runs, and is a warning. Throws what `read` throws.
 */
export async function checkSubFlows(definition: FlowDefinition, read: ReadSubFlow): Promise<CheckedSubFlows> {
  const found = new Map<string, FoundFlow>()
  /** The deepest way from each flow, so that flows which many others run are visited once. */
  const deepest = new Map<string, readonly string[]>()

  async function find(step: UsedFlow): Promise<FoundFlow | undefined> {
    const known = found.get(nameOf(step))
    if (known !== undefined || found.size >= maxRead) return known
    const flow = await read(step.flow, step.flow_version)
    const requiredInputs = flow === undefined ? [] : checkFlow(flow.definition).requiredInputs
    found.set(nameOf(step), { flow, requiredInputs })
    return { flow, requiredInputs }
  }

  async function deepestWay(step: UsedFlow, before: readonly string[]): Promise<Way> {
    if (before.includes(step.flow)) return { flows: [...before, step.flow], isCircle: true }
    const known = deepest.get(nameOf(step))
    if (known !== undefined) return { flows: [...before, ...known], isCircle: false }
    let below: readonly string[] = [step.flow]
    const { flow } = (await find(step)) ?? {}
    for (const inner of flow === undefined ? [] : subFlowsIn(flow.definition)) {
      const way = await deepestWay(inner, [...before, step.flow])
      if (way.isCircle) return way
      if (way.flows.length - before.length > below.length) below = way.flows.slice(before.length)
    }
    deepest.set(nameOf(step), below)
    return { flows: [...before, ...below], isCircle: false }
  }

  const problems: Problem[] = []
  const warnings: Problem[] = []
  for (const { step, path } of placedSubFlows(definition)) {
    const problem = describeWay(await deepestWay(step, [definition.id]))
    if (problem !== undefined) problems.push({ path: `${path}.flow`, ...problem })
    else warnings.push(...warningsAbout(step, path, await find(step)))
  }
  return { problems, warnings }
}

function nameOf({ flow, flow_version: version }: UsedFlow): string {
  return `${flow} ${version ?? ''}`
}

/** A flow that a step runs, or that an agent may call. */
interface UsedFlow {
  readonly flow: string
  readonly flow_version: number | undefined
  /** Names of the values that it gets. */
  readonly given: readonly string[]
  /** The field that says what it gets. */
  readonly inputField: 'input' | 'parameters'
}

interface PlacedFlow {
  readonly step: UsedFlow
  readonly path: string
}

function placedSubFlows({ steps }: FlowDefinition): PlacedFlow[] {
  return placedSteps(steps).flatMap(({ step, path }): PlacedFlow[] => {
    if (step.type === 'sub_flow') {
      const { flow, flow_version, input = {} } = step
      return [{ step: { flow, flow_version, given: Object.keys(input), inputField: 'input' }, path }]
    }
    if (step.type !== 'tool_agent') return []
    return step.tools.flatMap((tool, index): PlacedFlow[] => {
      if (tool.type !== 'flow') return []
      const { flow, flow_version, parameters } = tool
      const { properties = {} } = (parameters ?? { properties: { content: {} } }) as { properties?: object }
      const used = { flow, flow_version, given: Object.keys(properties), inputField: 'parameters' as const }
      return [{ step: used, path: `${path}.tools[${index}]` }]
    })
  })
}

/** Without repetitions of the same flow. */
function subFlowsIn(definition: FlowDefinition): UsedFlow[] {
  return [...new Map(placedSubFlows(definition).map(({ step }) => [nameOf(step), step])).values()]
}

function describeWay({ flows, isCircle }: Way): Omit<Problem, 'path'> | undefined {
  const named = flows.map((id) => `"${id}"`).join(' → ')
  if (isCircle) return { message: `would run a flow inside itself: ${named}`, code: 'circle' }
  // The first flow is the one that is saved.
  if (flows.length <= maxSubFlowDepth + 1) return undefined
  return { message: `runs flows more than ${maxSubFlowDepth} deep: ${named}`, code: 'too_deep' }
}

function warningsAbout(
  { flow: id, flow_version: version, given, inputField }: UsedFlow,
  path: string,
  found: FoundFlow | undefined,
): Problem[] {
  // Too many flows to read all of them.
  if (found === undefined) return []
  const { flow, requiredInputs } = found
  if (flow === undefined) {
    const named = version === undefined ? `no flow "${id}"` : `no version ${version} of a flow "${id}"`
    const message = `${named}: the step fails until there is one`
    return [{ path: `${path}.flow`, message, code: 'unknown_flow' }]
  }
  const missing = requiredInputs.filter(
    (required) => !given.includes(required.split(/[.[]/, 1)[0] ?? required),
  )
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            path: `${path}.${inputField}`,
            message: `the flow "${id}" reads ${missing.join(', ')}, which the input does not have`,
            code: 'missing_input',
          },
        ]),
    ...(flow.metadata.approval_required === true
      ? [
          {
            path: `${path}.flow`,
            message: `the flow "${id}" requires an approval, which is not asked for when it runs as a step`,
            code: 'approval_not_asked',
          },
        ]
      : []),
  ]
}
