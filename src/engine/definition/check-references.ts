import type { Problem } from '#kernel/errors'
import { splitPath } from '../expressions/paths.ts'
import { branchesOf, type Graph, readGraph } from '../graph/graph.ts'
import { editDistance } from './edit-distance.ts'
import type { FlowDefinition } from './flow.ts'
import type { UsedPath } from './kinds/used-paths.ts'
import { isSecretPath } from './kinds/used-secrets.ts'
import { kindOf, type Step } from './step-types.ts'

interface CheckedReferences {
  readonly problems: Problem[]
  readonly warnings: Problem[]
  readonly requiredInputs: string[]
}

/** Fields that the context of every execution may have. */
const contextFields = new Set(['content', 'user_context', 'processing_options', 'metadata'])

/** The steps that write each key of the shared memory. */
type Writers = ReadonlyMap<string, readonly string[]>

/** The steps of the flow, or those inside a container. */
interface ListOrder {
  /** The path of the list, such as `steps[3].steps`. */
  readonly path: string
  readonly steps: readonly Step[]
  readonly graph: Graph
  readonly writers: Writers
  readonly isBefore: (earlier: string, later: string) => boolean
  /** Names that its steps can read besides outputs: the variables of the container. */
  readonly variables: ReadonlySet<string>
  /** The container around it, and the list the container is in. */
  readonly outer: { readonly container: Step; readonly list: ListOrder } | undefined
}

/** Checks that the values a step refers to can exist when it runs. */
export function checkReferences({ steps, global_configuration }: FlowDefinition): CheckedReferences {
  const lists = ordersOf(steps, readGraph(steps))
  const containerOf = new Map(
    lists.flatMap(({ steps: inner, outer }) => inner.map(({ id }) => [id, outer?.container.id] as const)),
  )
  const remembers = global_configuration?.shared_memory_persistent === true
  const problems: Problem[] = []
  const warnings: Problem[] = []
  const requiredInputs = new Set<string>()
  const keys = lists.flatMap(({ writers }) => [...writers.keys()])
  const findMeant = createFindMeant(keys)
  const innerWriters = new Map(
    lists.flatMap((list) =>
      list.outer === undefined ? [] : [...list.writers].map(([key, [id = '']]) => [key, id]),
    ),
  )

  function check(used: UsedPath, place: string, source: Source, list: ListOrder): void {
    if (source.kind === 'wrong') problems.push({ ...source.problem, path: place })
    const isRemembered = remembers && list.outer === undefined
    if (source.kind === 'late' && !isRemembered) problems.push({ ...source.problem, path: place })
    if (source.kind === 'late' && isRemembered) {
      const message = `"${used.path}" is the value of the last execution: ${source.problem.message}`
      warnings.push({ path: place, message, code: 'earlier_execution' })
    }
    if (source.kind !== 'input') return
    const inside = innerWriters.get(source.name)
    if (inside !== undefined) {
      problems.push({ path: place, ...insideContainer(source.name, containerOf.get(inside)) })
      return
    }
    const meant = findMeant(source.name)
    if (meant !== undefined) {
      const message = `no step writes "${source.name}". Did you mean "${meant}"? Otherwise executions must have it in their context.`
      warnings.push({ path: place, message, code: 'unknown_path' })
    }
    if (used.mayBeMissing !== true) requiredInputs.add(source.path)
  }

  for (const list of lists) {
    for (const [index, step] of list.steps.entries()) {
      const place = `${list.path}[${index}]`
      for (const used of kindOf(step).pathsUsed(step)) {
        const at = `${place}.${used.at}`
        if (isSecretPath(used.path)) {
          if (kindOf(step).secretsUsed === undefined) problems.push({ ...secretNotAllowed, path: at })
          continue
        }
        const isThere = (maker: string): boolean =>
          list.isBefore(maker, step.id) || (used.afterAnswer === true && maker === step.id)
        check(used, at, sourceOf(used, { list, isThere, containerOf }), list)
      }
    }
    // When a scope has ended, the outputs of all its steps are there.
    const { container, list: around } = list.outer ?? {}
    if (container === undefined || around === undefined) continue
    const place = `${around.path}[${around.steps.indexOf(container)}]`
    for (const used of kindOf(container).container?.pathsAtEnd(container) ?? []) {
      check(used, `${place}.${used.at}`, sourceOf(used, { list, isThere: () => true, containerOf }), list)
    }
  }
  return {
    problems,
    warnings: [...warnings, ...lists.flatMap(findAmbiguousKeys)],
    requiredInputs: [...requiredInputs],
  }
}

/** The list of steps with the lists inside its containers. */
function ordersOf(
  steps: readonly Step[],
  graph: Graph,
  path = 'steps',
  outer?: ListOrder['outer'],
): ListOrder[] {
  const variables = outer === undefined ? [] : kindOf(outer.container).container?.variablesOf(outer.container)
  const list: ListOrder = {
    path,
    steps,
    graph,
    writers: writersIn(steps),
    isBefore: graph.isBefore,
    variables: new Set(variables),
    outer,
  }
  const nested = steps.flatMap((container, index) => {
    const inner = graph.nested.get(container.id)
    if (inner === undefined) return []
    return ordersOf([...inner.steps.values()], inner, `${path}[${index}].steps`, { container, list })
  })
  return [list, ...nested]
}

const secretNotAllowed: Omit<Problem, 'path'> = {
  message:
    'uses a secret, which only the url, headers and body of HTTP steps can: elsewhere it would be stored or sent to a model. Write {{context.secrets.…}} or {{memory.secrets.…}} for a field of this name',
  code: 'secret_not_allowed',
}

function writersIn(steps: readonly Step[]): Writers {
  const writers = new Map<string, string[]>()
  for (const { id, output_to_memory: key } of steps) {
    if (key !== undefined) writers.set(key, [...(writers.get(key) ?? []), id])
  }
  return writers
}

/** Where the value at a path comes from. */
type Source =
  | { readonly kind: 'step' | 'context' }
  /** A field that the request must add to the context. */
  | { readonly kind: 'input'; readonly name: string; readonly path: string }
  | { readonly kind: 'wrong' | 'late'; readonly problem: Omit<Problem, 'path'> }

interface Place {
  readonly list: ListOrder
  /** Whether a step of the list has ended when the path is read. */
  readonly isThere: (maker: string) => boolean
  /** The container of every step; undefined for steps of the flow itself. */
  readonly containerOf: ReadonlyMap<string, string | undefined>
}

/** Looks for the value in the list of the step, then outwards: there, the steps before the container have ended. */
function sourceOf({ path }: UsedPath, place: Place): Source {
  const [first = '', second = ''] = splitPath(path) ?? []
  if (first === 'steps') return sourceOfStep(second, place)
  if (first === 'errors' && handlesErrors(place.list)) return sourceOfError(second, place)
  const key = first === 'memory' ? second : first
  if (first !== 'context') {
    const source = sourceOfKey(key, path, place)
    if (source !== undefined) return source
  }
  const name = first === 'context' ? second : key
  if (contextFields.has(name)) return { kind: 'context' }
  return { kind: 'input', name, path: first === 'context' ? path.slice('context.'.length) : path }
}

function sourceOfKey(key: string, path: string, { list, isThere, containerOf }: Place): Source | undefined {
  if (list.variables.has(key)) return { kind: 'step' }
  const makers = list.writers.get(key)
  if (makers?.some(isThere) === true) return { kind: 'step' }
  const around = outwards(list, containerOf)
  const found = around === undefined ? undefined : sourceOfKey(key, path, around)
  if (found !== undefined || makers === undefined) return found
  const [maker = ''] = makers
  const message = `"${path}" is written by "${maker}". ${notBefore(maker)}`
  return { kind: 'late', problem: { message, code: 'not_before' } }
}

function sourceOfStep(id: string, { list, isThere, containerOf }: Place): Source {
  if (list.graph.byId.has(id)) return isThere(id) ? { kind: 'step' } : tooEarly(id)
  const around = outwards(list, containerOf)
  if (around !== undefined) return sourceOfStep(id, around)
  if (!containerOf.has(id)) {
    return { kind: 'wrong', problem: { message: `no step "${id}"`, code: 'unknown_step' } }
  }
  return { kind: 'wrong', problem: insideContainer(`steps.${id}`, containerOf.get(id)) }
}

function outwards({ outer }: ListOrder, containerOf: Place['containerOf']): Place | undefined {
  if (outer === undefined) return undefined
  const { list, container } = outer
  return { list, isThere: (maker) => list.isBefore(maker, container.id), containerOf }
}

function insideContainer(path: string, container = ''): Omit<Problem, 'path'> {
  return {
    message: `"${path}" exists only inside "${container}"; read the output of "${container}"`,
    code: 'inside_container',
  }
}

function tooEarly(step: string): Source {
  return { kind: 'wrong', problem: { message: notBefore(step), code: 'not_before' } }
}

function handlesErrors({ graph, outer }: ListOrder): boolean {
  return graph.handlesErrors || (outer !== undefined && handlesErrors(outer.list))
}

/** Only the errors of steps with `on_error` can be read: other failures end the execution, or leave a value out. */
function sourceOfError(id: string, { list, isThere, containerOf }: Place): Source {
  if (list.graph.steps.get(id)?.on_error !== undefined) return isThere(id) ? { kind: 'step' } : tooEarly(id)
  const around = outwards(list, containerOf)
  if (around !== undefined) return sourceOfError(id, around)
  const message = `no step "${id}" with on_error, whose error could be read`
  return { kind: 'wrong', problem: { message, code: 'unknown_step' } }
}

function notBefore(step: string): string {
  return `Step "${step}" may not have ended by then; add it to dependencies.`
}

/** Shorter names are similar by chance. */
const shortestMistyped = 4
/** More names are not compared: comparing is slow, and so many are not mistyped. */
const maxMistyped = 20

/** Finds the key that a mistyped name probably means. */
function createFindMeant(keys: readonly string[]): (name: string) => string | undefined {
  const compared = new Map<string, string | undefined>()
  return (name) => {
    if (name.length < shortestMistyped || compared.has(name) || compared.size >= maxMistyped)
      return compared.get(name)
    const meant = keys.find((key) => Math.abs(key.length - name.length) <= 2 && editDistance(name, key) <= 2)
    compared.set(name, meant)
    return meant
  }
}

/** The number of earlier writers of a key that are compared: a malicious flow may have hundreds. */
const maxRivals = 20

/** Two steps that write the same key in no fixed order: it is undefined which value stays. */
function findAmbiguousKeys({ path, steps, writers, graph, isBefore }: ListOrder): Problem[] {
  const areAlternatives = createAlternatives(steps, graph)
  const isOrdered = (one: string, other: string): boolean => isBefore(one, other) || isBefore(other, one)
  return steps.flatMap(({ id, output_to_memory: key }, index) => {
    if (key === undefined) return []
    const makers = writers.get(key) ?? []
    const place = makers.indexOf(id)
    const rival = makers
      .slice(Math.max(0, place - maxRivals), place)
      .find((other) => !isOrdered(other, id) && !areAlternatives(other, id))
    if (rival === undefined) return []
    return [
      {
        path: `${path}[${index}].output_to_memory`,
        message: `"${key}" is also written by "${rival}", in no fixed order: the value of the last one to end stays`,
        code: 'ambiguous',
      },
    ]
  })
}

/** A set of steps as bits, by position. */
type Places = Uint32Array

/** Finds whether a decision before two steps lets at most one of them run. */
function createAlternatives(steps: readonly Step[], graph: Graph): (one: string, other: string) => boolean {
  const size = Math.ceil(steps.length / 32)
  const placeOf = new Map(steps.map(({ id }, place) => [id, place]))
  const decisions = steps
    .map((step) => [...new Set(choicesOf(step))])
    .filter((targets) => targets.length > 1)
    .map((targets) => {
      const places = new Uint32Array(size)
      for (const target of targets) add(places, placeOf.get(target) ?? 0)
      return places
    })
  const known = new Map<string, Places>()

  /** The steps without which this one cannot run: itself, and the steps that all its predecessors need. */
  function needed(id: string): Places {
    const before = known.get(id)
    if (before !== undefined) return before
    const places = new Uint32Array(size)
    for (const [index, earlier] of [...(graph.byId.get(id)?.after ?? [])].entries()) {
      const theirs = needed(earlier)
      for (let word = 0; word < size; word += 1) {
        places[word] = index === 0 ? (theirs[word] ?? 0) : (places[word] ?? 0) & (theirs[word] ?? 0)
      }
    }
    add(places, placeOf.get(id) ?? 0)
    known.set(id, places)
    return places
  }

  return (one, other) => {
    const [mine, theirs] = [needed(one), needed(other)]
    return decisions.some((targets) => {
      let [isMine, isTheirs, isBoth] = [0, 0, 0]
      for (let word = 0; word < size; word += 1) {
        const wanted = targets[word] ?? 0
        isMine |= wanted & (mine[word] ?? 0)
        isTheirs |= wanted & (theirs[word] ?? 0)
        isBoth |= wanted & (mine[word] ?? 0) & (theirs[word] ?? 0)
      }
      return isMine !== 0 && isTheirs !== 0 && isBoth === 0
    })
  }
}

function add(places: Places, place: number): void {
  places[place >>> 5] = (places[place >>> 5] ?? 0) | (1 << (place & 31))
}

/** The steps of which a decision chooses at most one. Routing may add several steps at once. */
function choicesOf(step: Step): string[] {
  const branches = branchesOf(step)
  const added = new Set(branches.flatMap(({ adds }) => adds.map(({ id }) => id)))
  return branches.flatMap(({ next }) => (next === undefined || added.has(next.id) ? [] : [next.id]))
}
