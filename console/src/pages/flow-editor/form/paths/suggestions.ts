import { stepsBefore } from '../../document/edges.ts'
import { type DraftStep, type FlowDocument, nameOf, stepIn } from '../../document/flow-document.ts'
import { isObject, type Json, type JsonObject, valueAt, withValueAt } from '../../document/json.ts'
import { allSteps, placeOfStep } from '../../document/scopes.ts'
import { containerOf } from '../../document/step-kinds.ts'
import { isReadable, pathsWithin, placeholdersIn, splitPath } from './placeholders.ts'

/** A path that a step can use, and a short description of its source. */
export interface Suggestion {
  readonly path: string
  readonly from: string
  /** Whether only the context of an execution can fill it. */
  readonly isBrought: boolean
}

/** The known data of executions of a draft. */
export interface Known {
  readonly document: FlowDocument
  readonly requiredInputs: readonly string[]
  /** The sample input of test runs. */
  readonly sample: JsonObject | null
  /** The outputs of the last test run, by step ID. */
  readonly outputs: ReadonlyMap<string, Json | undefined>
}

/** The values every execution context has. */
const contextFields: readonly (readonly [name: string, from: string])[] = [
  ['content', 'input of the execution'],
  ['user_context', 'context of the execution'],
  ['processing_options', 'context of the execution'],
  ['metadata', 'context of the execution'],
]

/** Every path that a step can use when it starts, the nearest first. */
export function suggestionsFor(known: Known, id: string): readonly Suggestion[] {
  const { document } = known
  const { definition } = document
  const around = placeOfStep(document, id)?.around ?? []
  // The nearest scope comes first. A step inside of a container can read what the container can.
  const earlier = [id, ...around.map((container) => container.id).toReversed()].flatMap((inner) =>
    stepsEarlier(document, inner),
  )
  const made = [
    ...around.toReversed().flatMap((container) => variablesIn(container, known)),
    ...earlier.flatMap((step) => madeBy(step, known)),
    ...leftOver(definition.global_configuration, definition.steps),
  ]
  return distinct([
    ...contextFields.map(([path, from]) => ({ path, from, isBrought: false })),
    ...made,
    ...broughtPaths(
      known,
      id,
      new Set([...memoryKeys(allSteps(definition.steps)), ...around.flatMap(variableNames)]),
    ),
    ...earlier.map((step) => ({
      path: `steps.${step.id}`,
      from: `output of ${nameOf(step)}`,
      isBrought: false,
    })),
  ])
}

/** The steps of its scope whose outputs a step can use. */
function stepsEarlier(document: FlowDocument, id: string): readonly DraftStep[] {
  const beside = placeOfStep(document, id)?.beside ?? []
  const before = stepsBefore(beside, id)
  return beside.filter((step) => before.has(step.id) && step.id !== id)
}

function variableNames(container: DraftStep): readonly string[] {
  return (containerOf(container)?.variables(container) ?? []).map(({ name }) => name)
}

/** The variables of a container. The fields of an item are those of the first one in the last test run or the sample. */
function variablesIn(container: DraftStep, known: Known): readonly Suggestion[] {
  const variables = containerOf(container)?.variables(container) ?? []
  return variables.flatMap(({ name, about }, index) => {
    const from = `${about} of ${nameOf(container)}`
    const inner = index === 0 ? innerPaths(itemOf(container, known)) : []
    return [name, ...inner.map((path) => joinPaths(name, path))].map((path) => ({
      path,
      from,
      isBrought: false,
    }))
  })
}

function itemOf({ items }: DraftStep, { outputs, sample, document }: Known): Json | undefined {
  const path = typeof items === 'string' ? splitPath(items.replaceAll(/^\{\{|\}\}$/g, '')) : undefined
  const [first = '', second = '', ...rest] = path ?? []
  const writer = allSteps(document.definition.steps).find((step) => memoryKeys([step])[0] === first)
  const list =
    first === 'steps'
      ? valueAt(outputs.get(second), rest)
      : writer !== undefined
        ? valueAt(outputs.get(writer.id), (path ?? []).slice(1))
        : valueAt(sample ?? undefined, path ?? [])
  return Array.isArray(list) ? (list as readonly Json[])[0] : undefined
}

/** A step's own output, for fields that are evaluated after it. */
export function suggestionsOfOwn(known: Known, id: string): readonly Suggestion[] {
  const step = stepIn(known.document, id)
  if (step === undefined) return []
  return [...madeBy(step, known), { path: `steps.${id}`, from: 'its own output', isBrought: false }]
}

/** The names of the fields in the output of a step in the last test run. */
export function outputFields({ document, outputs }: Known, id: string): readonly string[] {
  const step = stepIn(document, id)
  return step === undefined ? [] : innerPaths(outputOf(step, outputs))
}

/** The keys of the shared memory that steps write. */
export function memoryKeys(steps: readonly DraftStep[]): readonly string[] {
  return steps.flatMap(({ output_to_memory: key }) => (typeof key === 'string' && key !== '' ? [key] : []))
}

function madeBy(step: DraftStep, { outputs }: Known): readonly Suggestion[] {
  const [key] = memoryKeys([step])
  if (key === undefined) return []
  const from = `output of ${nameOf(step)}`
  const inner = innerPaths(outputOf(step, outputs)).map((path) => joinPaths(key, path))
  return [key, ...inner].map((path) => ({ path, from, isBrought: false }))
}

/** The output fields of a condition are known before it ran. */
const decision: Json = { action: '', target: '', reason: '', condition: 0 }

function outputOf(step: DraftStep, outputs: Known['outputs']): Json | undefined {
  return step.type === 'conditional' ? decision : outputs.get(step.id)
}

/** With a persistent memory, the memory keys of the last execution are available from the start. */
function leftOver(configuration: Json | undefined, steps: readonly DraftStep[]): readonly Suggestion[] {
  if (!isObject(configuration) || configuration['shared_memory_persistent'] !== true) return []
  return memoryKeys(steps).map((path) => ({ path, from: 'from the last execution', isBrought: false }))
}

/** Context values no step writes: other steps use them, the server requires them, or the sample has them. */
function broughtPaths(
  { document, requiredInputs, sample }: Known,
  id: string,
  keys: ReadonlySet<string>,
): readonly Suggestion[] {
  const others = allSteps(document.definition.steps).filter((step) => step.id !== id)
  const byOthers = others.flatMap((step) =>
    pathsUsedBy(step).map((path) => ({ path, from: `context, used by ${nameOf(step)}` })),
  )
  const sampled = innerPaths(sample ?? undefined).map((path) => ({
    path,
    from: 'context, in the sample input',
  }))
  // A path that this step itself requires is no useful suggestion; the required paths of other steps are.
  const own = new Set(pathsUsedBy(stepIn(document, id)))
  const asked = requiredInputs
    .filter((path) => !own.has(path))
    .map((path) => ({ path, from: 'context, required by the workflow' }))
  return [...sampled, ...byOthers, ...asked].flatMap(({ path, from }) => {
    const [first = ''] = splitPath(path) ?? []
    if (['', 'steps', 'previous', 'secrets'].includes(first) || keys.has(first)) return []
    const bare = path.replace(/^(?:context|memory)\./, '')
    const isBrought = !contextFields.some(([name]) => name === splitPath(bare)?.[0])
    return [{ path: bare, from, isBrought }]
  })
}

const used = new WeakMap<DraftStep, readonly string[]>()

/** The paths a step uses in texts, conditions and transformations. Unchanged steps are read once. */
function pathsUsedBy(step: DraftStep | undefined): readonly string[] {
  const before = step === undefined ? [] : used.get(step)
  if (before !== undefined || step === undefined) return before ?? []
  const paths = readPaths(step)
  used.set(step, paths)
  return paths
}

function readPaths(step: DraftStep): readonly string[] {
  const fields = entriesOf(step['conditions']).map((entry) => valueAt(entry, ['field']))
  const sources = entriesOf(step['transformations']).flatMap((entry) =>
    entriesOf(valueAt(entry, ['sources'])),
  )
  const plain = [...fields, ...sources, step['items']].filter(
    (path) => typeof path === 'string' && path !== '' && splitPath(path) !== undefined,
  )
  // The steps inside of a container are listed by themselves.
  const own = withValueAt(step, ['steps'], undefined)
  return [...pathsWithin(own), ...(plain as string[])]
}

function entriesOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

/** Removes duplicate paths; the first one wins. */
export function distinct(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  const seen = new Set<string>()
  return suggestions.filter(({ path }) => {
    if (seen.has(path)) return false
    seen.add(path)
    return true
  })
}

const deepest = 3
const maxPaths = 60

/** The paths inside of a value, level by level; a list has those of its first entry. */
function innerPaths(value: Json | undefined): readonly string[] {
  const found: string[] = []
  let level: readonly { readonly path: string; readonly value: Json }[] =
    value === undefined ? [] : [{ path: '', value }]
  for (let depth = 0; depth < deepest && found.length < maxPaths; depth += 1) {
    level = level.flatMap(below)
    found.push(...level.map(({ path }) => path))
  }
  return found.slice(0, maxPaths)
}

function below({ path, value }: { readonly path: string; readonly value: Json }) {
  if (Array.isArray(value)) {
    const [first] = value as readonly Json[]
    return first === undefined ? [] : [{ path: `${path}[0]`, value: first }]
  }
  if (!isObject(value)) return []
  return Object.entries(value)
    .filter(([name]) => isReadable(name))
    .map(([name, inner]) => ({ path: path === '' ? name : `${path}.${name}`, value: inner }))
}

/** Joins a path with a path inside of its value. */
function joinPaths(path: string, inner: string): string {
  return inner.startsWith('[') ? `${path}${inner}` : `${path}.${inner}`
}

/** The known paths for a text with placeholders. */
export interface Filling {
  readonly suggestions: readonly Suggestion[]
  /** Every key of the shared memory that steps write. */
  readonly keys: readonly string[]
  /** The names of the secrets that the text can use; null when they are unknown, undefined when it can use none. */
  readonly secrets?: readonly string[] | null | undefined
}

/** Why a placeholder is unfilled, as a sentence; undefined when it is filled. */
export function describeUnfilled(path: string, { suggestions, keys, secrets }: Filling): string | undefined {
  // The server checks expressions, and a default fills a missing value.
  if (path.startsWith('=') || path.includes('??')) return undefined
  const parts = splitPath(path)
  if (parts === undefined) return `“{{${path}}}” is not a valid path, such as {{analysis.score}}.`
  const [first = '', second = ''] = parts
  if (first === 'secrets') return describeSecret(second, secrets)
  const root =
    first === 'steps' ? `steps.${second}` : first === 'memory' || first === 'context' ? second : first
  const filler = suggestions.find((it) => rootOf(it.path) === root && !it.isBrought)
  if (filler !== undefined) return undefined
  if (first === 'steps') return `“${path}”: no earlier step has the ID “${second}”.`
  if (keys.includes(root)) return `“${path}” is written by a step that may not have finished by then.`
  return `No step writes “${root}”: pass it in the context of the execution.`
}

function describeSecret(name: string, secrets: Filling['secrets']): string | undefined {
  if (secrets === undefined) return 'Secrets can be used in HTTP requests only.'
  return secrets === null || secrets.includes(name) ? undefined : `You have no secret “${name}”.`
}

/** The problems of all unfilled placeholders of a text, each once. */
export function unfilledIn(text: string, filling: Filling): readonly string[] {
  return [...new Set(placeholdersIn(text).flatMap(({ path }) => describeUnfilled(path, filling) ?? []))]
}

function rootOf(path: string): string {
  const [first = '', second = ''] = splitPath(path) ?? []
  return first === 'steps' ? `steps.${second}` : first
}
