import { stepsBefore } from '../../document/edges.ts'
import { type DraftStep, type FlowDocument, nameOf, stepIn } from '../../document/flow-document.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../../document/json.ts'
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
  const { definition } = known.document
  const before = stepsBefore(definition.steps, id)
  const earlier = definition.steps.filter((step) => before.has(step.id) && step.id !== id)
  const made = [
    ...earlier.flatMap((step) => madeBy(step, known)),
    ...leftOver(definition.global_configuration, definition.steps),
  ]
  return distinct([
    ...contextFields.map(([path, from]) => ({ path, from, isBrought: false })),
    ...made,
    ...broughtPaths(known, id, new Set(memoryKeys(definition.steps))),
    ...earlier.map((step) => ({
      path: `steps.${step.id}`,
      from: `output of ${nameOf(step)}`,
      isBrought: false,
    })),
  ])
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
  const others = document.definition.steps.filter((step) => step.id !== id)
  const used = others.flatMap((step) =>
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
  return [...sampled, ...used, ...asked].flatMap(({ path, from }) => {
    const [first = ''] = splitPath(path) ?? []
    if (['', 'steps', 'previous', 'secrets'].includes(first) || keys.has(first)) return []
    const bare = path.replace(/^(?:context|memory)\./, '')
    const isBrought = !contextFields.some(([name]) => name === splitPath(bare)?.[0])
    return [{ path: bare, from, isBrought }]
  })
}

/** The paths a step uses in texts, conditions and transformations. */
function pathsUsedBy(step: DraftStep | undefined): readonly string[] {
  const fields = entriesOf(step?.['conditions']).map((entry) => valueAt(entry, ['field']))
  const sources = entriesOf(step?.['transformations']).flatMap((entry) =>
    entriesOf(valueAt(entry, ['sources'])),
  )
  const plain = [...fields, ...sources].filter((path) => typeof path === 'string' && path !== '')
  return [...pathsWithin(step), ...(plain as string[])]
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
