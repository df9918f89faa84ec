import type { Problem } from '#kernel/errors'
import { splitPath } from '../expressions.ts'
import { branchesOf, createAncestry, type Graph, readGraph } from '../graph/graph.ts'
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

interface Order {
  readonly graph: Graph
  readonly isBefore: (earlier: string, later: string) => boolean
}

/** Checks that the values a step refers to can exist when it runs. */
export function checkReferences({ steps, global_configuration }: FlowDefinition): CheckedReferences {
  const graph = readGraph(steps)
  const writers = writersIn(steps)
  const remembers = global_configuration?.shared_memory_persistent === true
  const problems: Problem[] = []
  const warnings: Problem[] = []
  const requiredInputs = new Set<string>()
  const isBefore = createAncestry(graph)
  const findMeant = createFindMeant([...writers.keys()])

  for (const [index, step] of steps.entries()) {
    for (const used of kindOf(step).pathsUsed(step)) {
      const place = `steps[${index}].${used.at}`
      if (isSecretPath(used.path)) {
        if (kindOf(step).secretsUsed === undefined) problems.push({ ...secretNotAllowed, path: place })
        continue
      }
      const source = sourceOf(used, step, { graph, writers, isBefore })
      if (source.kind === 'wrong') problems.push({ ...source.problem, path: place })
      if (source.kind === 'late' && !remembers) problems.push({ ...source.problem, path: place })
      if (source.kind === 'late' && remembers) {
        const message = `"${used.path}" is the value of the last execution: ${source.problem.message}`
        warnings.push({ path: place, message, code: 'earlier_execution' })
      }
      if (source.kind !== 'input') continue
      const meant = findMeant(source.name)
      if (meant !== undefined) {
        const message = `no step writes "${source.name}". Did you mean "${meant}"? Otherwise executions must have it in their context.`
        warnings.push({ path: place, message, code: 'unknown_path' })
      }
      if (used.mayBeMissing !== true) requiredInputs.add(source.path)
    }
  }
  return {
    problems,
    warnings: [...warnings, ...findAmbiguousKeys(steps, writers, { graph, isBefore })],
    requiredInputs: [...requiredInputs],
  }
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

function sourceOf(
  { path, afterAnswer }: UsedPath,
  step: Step,
  { graph, writers, isBefore }: Order & { readonly writers: Writers },
): Source {
  const isThere = (maker: string): boolean =>
    isBefore(maker, step.id) || (afterAnswer === true && maker === step.id)
  const [first = '', second = ''] = splitPath(path) ?? []
  if (first === 'steps') {
    if (!graph.byId.has(second)) {
      return { kind: 'wrong', problem: { message: `no step "${second}"`, code: 'unknown_step' } }
    }
    if (isThere(second)) return { kind: 'step' }
    return { kind: 'wrong', problem: { message: notBefore(second), code: 'not_before' } }
  }
  const key = first === 'memory' ? second : first
  const makers = writers.get(key)
  if (makers !== undefined && first !== 'context') {
    if (makers.some(isThere)) return { kind: 'step' }
    const [maker = ''] = makers
    const message = `"${path}" is written by "${maker}". ${notBefore(maker)}`
    return { kind: 'late', problem: { message, code: 'not_before' } }
  }
  const name = first === 'context' ? second : key
  if (contextFields.has(name)) return { kind: 'context' }
  return { kind: 'input', name, path: first === 'context' ? path.slice('context.'.length) : path }
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
function findAmbiguousKeys(steps: readonly Step[], writers: Writers, { graph, isBefore }: Order): Problem[] {
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
        path: `steps[${index}].output_to_memory`,
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
