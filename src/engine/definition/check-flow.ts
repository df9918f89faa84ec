import type { Problem } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import {
  branchesOf,
  createAncestry,
  decisionsOf,
  type GraphNode,
  readGraph,
  targetsOf,
} from '../graph/graph.ts'
import { checkReferences } from './check-references.ts'
import { checkSteps } from './check-steps.ts'
import { type FlowDefinition, FlowFrame } from './flow.ts'
import { stepKinds } from './kinds/index.ts'
import type { Branch, Target } from './kinds/step-kind.ts'
import { kindOf, type Step, type StepType, stepTypes } from './step-types.ts'

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
  const steps = stepsIn(given, frame)
  const shapes = steps.map((step, index) => checkStepShape(step, `steps[${index}]`))
  const sound = steps.map((step, index) => (shapes[index]?.length === 0 ? (step as Step) : undefined))
  const apart = [...frame, ...shapes.flat(), ...checkSteps(sound), ...checkNames(sound, steps.map(idOf))]
  if (apart.length > 0) return refused(apart)
  const definition = given as FlowDefinition
  const circle = findCircle(definition.steps)
  if (circle.length > 0) return refused(circle)
  const { problems, warnings, requiredInputs } = checkReferences(definition)
  if (problems.length > 0) return refused(problems)
  return { definition, problems: [], warnings: [...findUnreachable(definition), ...warnings], requiredInputs }
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
function findUnreachable({ steps, global_configuration }: FlowDefinition): Problem[] {
  const graph = readGraph(steps)
  const isBefore = createAncestry(graph)
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
    canRun(step.id) ? [] : [{ path: `steps[${index}]`, message: why(step), code: 'unreachable' }],
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

type Sound = readonly (Step | undefined)[]

/** Finds duplicate and unknown ids. An invalid step (undefined) is not checked, but its id is known. */
function checkNames(steps: Sound, ids: readonly (string | undefined)[]): Problem[] {
  return [...findDuplicates(ids), ...findUnknown(steps, new Set(ids))]
}

function findDuplicates(ids: readonly (string | undefined)[]): Problem[] {
  const seen = new Set<string>()
  return ids.flatMap((id, index) => {
    if (id === undefined) return []
    const isTaken = seen.has(id)
    seen.add(id)
    return isTaken
      ? [{ path: `steps[${index}].id`, message: `"${id}" is the id of another step`, code: 'duplicate' }]
      : []
  })
}

function findUnknown(steps: Sound, known: ReadonlySet<string | undefined>): Problem[] {
  return steps.flatMap((step, index) =>
    (step === undefined ? [] : referencesOf(step)).flatMap(({ path, id }) => {
      const at = `steps[${index}].${path}`
      if (id === step?.id) return [{ path: at, message: `"${id}" is the step itself`, code: 'circle' }]
      return known.has(id) ? [] : [{ path: at, message: `no step "${id}"`, code: 'unknown_step' }]
    }),
  )
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
function findCircle(steps: readonly Step[]): Problem[] {
  const next = edgesOf(steps)
  const done = new Set<string>()
  for (const { id } of steps) {
    const circle = circleFrom(id, next, done)
    if (circle !== undefined) {
      const index = steps.findIndex((step) => step.id === circle[0])
      const way = circle.map((step) => `"${step}"`).join(' → ')
      return [
        {
          path: `steps[${index}]`,
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
