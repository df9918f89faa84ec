import type { Problem } from '#kernel/errors'
import { splitPath } from '../expressions/path.ts'
import { type Graph, readGraph } from '../graph/graph.ts'
import { createAlternatives } from './alternatives.ts'
import { createAncestry } from './ancestry.ts'
import { editDistance } from './edit-distance.ts'
import type { FlowDefinition } from './flow.ts'
import { pathsUsedBy, type UsedPath } from './paths-used.ts'
import type { Step } from './step-types.ts'

interface CheckedReferences {
  readonly problems: Problem[]
  readonly warnings: Problem[]
  readonly requiredInputs: string[]
}

/** What the context of every execution has room for. */
const contextFields = new Set(['content', 'user_context', 'processing_options', 'metadata'])

/** Which steps write each key of the shared memory. */
type Writers = ReadonlyMap<string, readonly string[]>

interface Order {
  readonly graph: Graph
  readonly isBefore: (earlier: string, later: string) => boolean
}

/** Whether what steps refer to can be there when they run. */
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
    for (const used of pathsUsedBy(step)) {
      const place = `steps[${index}].${used.at}`
      const source = sourceOf(used, step, { graph, writers, isBefore })
      if (source.kind === 'wrong') problems.push({ ...source.problem, path: place })
      if (source.kind === 'late' && !remembers) problems.push({ ...source.problem, path: place })
      if (source.kind === 'late' && remembers) {
        const message = `"${used.path}" is what the last execution left: ${source.problem.message}`
        warnings.push({ path: place, message, code: 'earlier_execution' })
      }
      if (source.kind !== 'input') continue
      const meant = findMeant(source.name)
      if (meant !== undefined) {
        const message = `no step makes "${source.name}". Is "${meant}" meant? Otherwise executions must bring it in their context.`
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
  /** The context of each execution, which has no such field by itself. */
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
    const message = `"${path}" is made by "${maker}". ${notBefore(maker)}`
    return { kind: 'late', problem: { message, code: 'not_before' } }
  }
  const name = first === 'context' ? second : key
  if (contextFields.has(name)) return { kind: 'context' }
  return { kind: 'input', name, path: first === 'context' ? path.slice('context.'.length) : path }
}

function notBefore(step: string): string {
  return `Step "${step}" need not be over by then; name it in dependencies.`
}

/** Short names are alike by chance. */
const shortestMistyped = 4
/** Nobody mistypes more names than this, and comparing is slow. */
const mostMistyped = 20

/** Finds the key that was meant by a name that no step makes. */
function createFindMeant(keys: readonly string[]): (name: string) => string | undefined {
  const compared = new Map<string, string | undefined>()
  return (name) => {
    if (name.length < shortestMistyped || compared.has(name) || compared.size >= mostMistyped)
      return compared.get(name)
    const meant = keys.find((key) => Math.abs(key.length - name.length) <= 2 && editDistance(name, key) <= 2)
    compared.set(name, meant)
    return meant
  }
}

/** How many earlier writers of a key a step is compared with: a flow made to be slow has hundreds. */
const mostRivals = 20

/** Two steps that write the same key and can run in any order: nobody can say whose value stays. */
function findAmbiguousKeys(steps: readonly Step[], writers: Writers, { graph, isBefore }: Order): Problem[] {
  const areAlternatives = createAlternatives(steps, graph)
  const isOrdered = (one: string, other: string): boolean => isBefore(one, other) || isBefore(other, one)
  return steps.flatMap(({ id, output_to_memory: key }, index) => {
    if (key === undefined) return []
    const makers = writers.get(key) ?? []
    const place = makers.indexOf(id)
    const rival = makers
      .slice(Math.max(0, place - mostRivals), place)
      .find((other) => !isOrdered(other, id) && !areAlternatives(other, id))
    if (rival === undefined) return []
    return [
      {
        path: `steps[${index}].output_to_memory`,
        message: `"${key}" is also written by "${rival}", and neither comes first: the one that ends last stays`,
        code: 'ambiguous',
      },
    ]
  })
}
