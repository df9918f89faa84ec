import type { Problem } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import { branchesOf, decisionsOf, type GraphNode, readGraph, targetsOf } from '../graph/graph.ts'
import { checkReferences } from './check-references.ts'
import { checkSteps } from './check-steps.ts'
import { type FlowDefinition, FlowFrame, maxSteps } from './flow.ts'
import { checkFlowControl } from './flow-control.ts'
import { stepKinds } from './kinds/index.ts'
import type { Branch, Target } from './kinds/step-kind.ts'
import { childrenOf, isContainer, kindOf, type Step, type StepType, stepTypes } from './step-types.ts'

export interface CheckedFlow {
  /** Undefined while there are problems. */
  readonly definition: FlowDefinition | undefined
  readonly problems: readonly Problem[]
  /** Problems that do not prevent saving the flow. */
  readonly warnings: readonly Problem[]
  /** Paths that the context of an execution must have. */
  readonly requiredInputs: readonly string[]
}

const checkFrame = createValueCheck(FlowFrame)

const maxProblems = 50

/**
 * Checks a flow definition. An invalid step does not hide the problems of other steps; only checks of the whole graph, such as for cycles,
 * require that every step is valid. Never throws: problems are part of the result.
 */
export function checkFlow(given: unknown): CheckedFlow {
  const frame = checkFrame(given)
  const lists = readLists(stepsIn(given, frame))
  const apart = [...frame, ...lists.flatMap(checkList), ...findDuplicates(lists), ...findUnknown(lists)]
  if (apart.length > 0) return refused([...apart, ...limitSteps(lists)])
  const tooMany = limitSteps(lists)
  if (tooMany.length > 0) return refused(tooMany)
  const circle = lists.flatMap(({ steps, path }) => findCircle(steps as readonly Step[], path)).slice(0, 1)
  if (circle.length > 0) return refused(circle)
  const definition = given as FlowDefinition
  const { problems: unknown, warnings, requiredInputs } = checkReferences(definition)
  const problems = [...unknown, ...checkFlowControl(definition.global_configuration?.flow_control)]
  if (problems.length > 0) return refused(problems)
  const unreachable = lists.flatMap(({ steps, path }) =>
    findUnreachable({ ...definition, steps: steps as Step[] }, path),
  )
  return { definition, problems: [], warnings: [...unreachable, ...warnings], requiredInputs }
}

/** Without duplicates: the frame and a step may both report a problem. */
function refused(problems: readonly Problem[]): CheckedFlow {
  const distinct = new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem]))
  return {
    definition: undefined,
    problems: [...distinct.values()].slice(0, maxProblems),
    warnings: [],
    requiredInputs: [],
  }
}

/** The steps; none when the flow or its list of steps is invalid. */
function stepsIn(given: unknown, frame: readonly Problem[]): readonly unknown[] {
  return frame.some(({ path }) => path === '' || path === 'steps')
    ? []
    : (given as { readonly steps: readonly unknown[] }).steps
}

/** A list of steps: those of the flow, or those inside a container. */
interface StepList {
  /** Its path, such as `steps` or `steps[3].steps`. */
  readonly path: string
  readonly steps: readonly unknown[]
  /** The steps that match their schema; undefined for others. */
  readonly sound: readonly (Step | undefined)[]
  readonly problems: readonly Problem[]
  /** The container around it. */
  readonly container: string | undefined
}

/** Containers inside containers, at most. */
const maxDepth = 3

/** The steps of the flow, and of every container in it. */
function readLists(
  steps: readonly unknown[],
  { path = 'steps', container, depth = 0 }: { path?: string; container?: string; depth?: number } = {},
): StepList[] {
  if (depth > maxDepth) {
    const message = `is inside more than ${maxDepth} containers; move some steps out of them`
    return [{ path, steps: [], sound: [], problems: [{ path, message, code: 'too_deep' }], container }]
  }
  const shapes = steps.map((step, index) => checkStepShape(step, `${path}[${index}]`))
  const sound = steps.map((step, index) => (shapes[index]?.length === 0 ? (step as Step) : undefined))
  const nested = sound.flatMap((step, index) =>
    step === undefined || !isContainer(step)
      ? []
      : readLists(childrenOf(step), {
          path: `${path}[${index}].steps`,
          container: step.id,
          depth: depth + 1,
        }),
  )
  return [{ path, steps, sound, problems: shapes.flat(), container }, ...nested]
}

function checkList({ path, sound, problems }: StepList): Problem[] {
  return [...problems, ...checkSteps(sound, path)]
}

function limitSteps(lists: readonly StepList[]): Problem[] {
  const count = lists.reduce((sum, { steps }) => sum + steps.length, 0)
  if (count <= maxSteps) return []
  const message = `has ${count} steps with those inside containers; at most ${maxSteps} are allowed`
  return [{ path: 'steps', message, code: 'maximum' }]
}

function idOf(step: unknown): string | undefined {
  const { id } = (typeof step === 'object' && step !== null ? step : {}) as { readonly id?: unknown }
  return typeof id === 'string' ? id : undefined
}

const checks = Object.fromEntries(
  stepKinds.map(({ type, schema }) => [type, createValueCheck(schema)]),
) as Record<StepType, ReturnType<typeof createValueCheck>>

/** Checks the fields of a step against the schema of its type. */
function checkStepShape(step: unknown, place: string): Problem[] {
  if (typeof step !== 'object' || step === null || Array.isArray(step)) {
    return [{ path: place, message: 'must be an object', code: 'type' }]
  }
  const { type } = step as Partial<Step>
  if (type === undefined) return [{ path: `${place}.type`, message: 'is required', code: 'required' }]
  if (!stepTypes.includes(type)) {
    return [{ path: `${place}.type`, message: `must be one of ${stepTypes.join(', ')}`, code: 'choice' }]
  }
  return checks[type](step).map((problem) => ({
    ...(nameProblem(problem, step, kindOf({ type }).namesIn) ?? problem),
    path: problem.path === '' ? place : `${place}.${problem.path}`,
  }))
}

/** The schema reports an invalid custom name as an unknown field; this replaces its message. */
function nameProblem(
  problem: Problem,
  step: object,
  namesIn: Readonly<Record<string, string>> = {},
): Problem | undefined {
  if (problem.code !== 'unknown_field') return undefined
  const found = Object.entries(namesIn).find(([map]) => {
    const named = map.split('.').reduce<unknown>((value, field) => own(value, field), step)
    return problem.path.startsWith(`${map}.`) && own(named, problem.path.slice(map.length + 1)) !== undefined
  })
  return found === undefined ? undefined : { ...problem, message: found[1], code: 'name' }
}

function own(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field)
    ? (value as Readonly<Record<string, unknown>>)[field]
    : undefined
}

/**
 * Finds steps that no execution can reach.
 *
 * | a step can run when                                                                     |
 * |-----------------------------------------------------------------------------------------|
 * | it has no step before it, and no routing option has to add it                           |
 * | a decision that can run chooses it, and decisions of that kind are not switched off     |
 * | a step that can run leads to it: no decision between that does not choose it, and not a |
 * | conditional whose every action jumps past it                                            |
 */
function findUnreachable({ steps, global_configuration }: FlowDefinition, list: string): Problem[] {
  const graph = readGraph(steps)
  const { isBefore } = graph
  const jumps = new Map(steps.map((step) => [step.id, jumpsOf(step)]))
  const routes = global_configuration?.agent_routing_enabled !== false
  const isAgent = (id: string): boolean => graph.byId.get(id)?.routes === true
  const known = new Map<string, boolean>()

  function canRun(id: string): boolean {
    const before = known.get(id)
    if (before !== undefined) return before
    const node = graph.byId.get(id)
    const answer = node !== undefined && (isEntry(node) || isChosen(node) || isLedTo(node))
    known.set(id, answer)
    return answer
  }

  function isChosen({ id, gates }: GraphNode): boolean {
    const handles = (gate: string): boolean => graph.steps.get(gate)?.on_error === id
    return [...gates].some((gate) => (routes || !isAgent(gate) || handles(gate)) && canRun(gate))
  }

  function isLedTo(node: GraphNode): boolean {
    return !node.dormant && [...node.after].some((before) => leads(before, node) && canRun(before))
  }

  function leads(before: string, { id, gates }: GraphNode): boolean {
    if (gates.has(before)) return false
    const isPastDecision = gates.size === 0 || [...gates].some((gate) => isBefore(gate, before))
    return isPastDecision && !jumpsPast(before, id)
  }

  /** Whether every branch of a step jumps past another one. */
  function jumpsPast(before: string, id: string): boolean {
    return jumps.get(before)?.every((target) => target !== id && !isBefore(target, id)) === true
  }

  function why({ id }: Step): string {
    const { dormant = false, gates = new Set<string>() } = graph.byId.get(id) ?? {}
    const onlyByAgents = dormant || (gates.size > 0 && [...gates].every(isAgent))
    return !routes && onlyByAgents
      ? `"${id}" can never run: only agents choose it, and agent_routing_enabled is false`
      : `"${id}" can never run: nothing that can run leads to it`
  }

  return steps.flatMap((step, index) =>
    canRun(step.id) ? [] : [{ path: `${list}[${index}]`, message: why(step), code: 'unreachable' }],
  )
}

function isEntry({ after, dormant }: GraphNode): boolean {
  return after.size === 0 && !dormant
}

/** Where a step that succeeds jumps to, if every branch of it jumps; else undefined. */
function jumpsOf(step: Step): string[] | undefined {
  const branches = decisionsOf(step)
  const targets = branches.flatMap(({ jumps, next }) => (jumps && next !== undefined ? [next.id] : []))
  return targets.length > 0 && targets.length === branches.length ? targets : undefined
}

/** Ids are unique in the whole flow, so that an id is enough to name a step. */
function findDuplicates(lists: readonly StepList[]): Problem[] {
  const seen = new Set<string>()
  return lists.flatMap(({ path, steps }) =>
    steps.flatMap((step, index) => {
      const id = idOf(step)
      if (id === undefined) return []
      const isTaken = seen.has(id)
      seen.add(id)
      return isTaken
        ? [{ path: `${path}[${index}].id`, message: `"${id}" is the id of another step`, code: 'duplicate' }]
        : []
    }),
  )
}

/** Finds names of steps that do not exist, or exist in another list. An invalid step (undefined) is not checked, but its id is known. */
function findUnknown(lists: readonly StepList[]): Problem[] {
  const listOf = new Map(lists.flatMap((list) => list.steps.map((step) => [idOf(step), list] as const)))
  return lists.flatMap((list) =>
    list.sound.flatMap((step, index) =>
      (step === undefined ? [] : referencesOf(step)).flatMap(({ path, id }) => {
        const at = `${list.path}[${index}].${path}`
        if (id === step?.id) return [{ path: at, message: `"${id}" is the step itself`, code: 'circle' }]
        const other = listOf.get(id)
        if (other === list) return []
        return [{ path: at, ...(other === undefined ? unknownStep(id) : otherList(id, other)) }]
      }),
    ),
  )
}

function unknownStep(id: string): Omit<Problem, 'path'> {
  return { message: `no step "${id}"`, code: 'unknown_step' }
}

function otherList(id: string, { container }: StepList): Omit<Problem, 'path'> {
  return container === undefined
    ? {
        message: `"${id}" is outside of this container; a step can only name steps beside it`,
        code: 'outside_container',
      }
    : {
        message: `"${id}" is inside "${container}"; name "${container}", or a step beside this one`,
        code: 'inside_container',
      }
}

function referencesOf(step: Step): Target[] {
  const needed = (step.dependencies ?? []).map((id, index) => ({ path: `dependencies[${index}]`, id }))
  const handler = step.on_error === undefined ? [] : [{ path: 'on_error', id: step.on_error }]
  return [...needed, ...handler, ...(kindOf(step).references?.(step) ?? decisionsOf(step).flatMap(namedBy))]
}

function namedBy({ adds, next }: Branch): Target[] {
  return next === undefined ? [...adds] : [...adds, next]
}

/** Finds the first cycle, with the path around it. Every name must be known. */
function findCircle(steps: readonly Step[], list: string): Problem[] {
  const next = edgesOf(steps)
  const done = new Set<string>()
  for (const { id } of steps) {
    const circle = circleFrom(id, next, done)
    if (circle !== undefined) {
      const index = steps.findIndex((step) => step.id === circle[0])
      const way = circle.map((step) => `"${step}"`).join(' → ')
      return [
        {
          path: `${list}[${index}]`,
          message: `is part of a cycle: ${way}. Steps cannot depend on themselves.`,
          code: 'circle',
        },
      ]
    }
  }
  return []
}

/** The steps after each step. */
function edgesOf(steps: readonly Step[]): Map<string, string[]> {
  const next = new Map<string, string[]>(steps.map(({ id }) => [id, []]))
  for (const step of steps) {
    for (const before of step.dependencies ?? []) next.get(before)?.push(step.id)
    const branches = branchesOf(step)
    next.get(step.id)?.push(...targetsOf(branches))
    for (const { adds, next: last } of branches) {
      if (last === undefined) continue
      for (const { id } of adds) if (id !== last.id) next.get(id)?.push(last.id)
    }
  }
  return next
}

/** Depth-first search with an explicit stack: a chain of 500 steps must not need 500 nested calls. */
function circleFrom(
  start: string,
  next: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
): string[] | undefined {
  const way: { readonly id: string; readonly rest: string[] }[] = []
  const onWay = new Set<string>()
  const enter = (id: string) => {
    way.push({ id, rest: [...(next.get(id) ?? [])] })
    onWay.add(id)
  }
  if (!done.has(start)) enter(start)
  for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
    const following = here.rest.shift()
    if (following === undefined) {
      way.pop()
      onWay.delete(here.id)
      done.add(here.id)
    } else if (onWay.has(following)) {
      const ids = way.map(({ id }) => id)
      return [...ids.slice(ids.indexOf(following)), following]
    } else if (!done.has(following)) {
      enter(following)
    }
  }
  return undefined
}
