import { type FlowDocument, nameOf, stepIn } from '../document/flow-document.ts'
import type { JsonPath } from '../document/json.ts'
import { placeOfStep } from '../document/scopes.ts'
import { type Known, suggestionsFor, suggestionsOfOwn } from '../form/paths/suggestions.ts'
import { suggestionsAt } from '../form/paths/suggestions-at.ts'
import type { Schema } from '../form/schema/read-shape.ts'
import { roleAt } from '../form/schema/roles.ts'
import { type CodePlace, namesAt, textAt } from './code-place.ts'
import type { Code } from './json-tree.ts'

/** A completion. */
export interface Choice {
  /** A name without its quotes, or a value as JSON. */
  readonly label: string
  readonly detail: string
  readonly info: string
  /** The initial value inserted after a name. */
  readonly begins: string
}

/** The completions at a position: from the schema of the API, and from the flow itself. */
export function choicesAt(
  code: Code,
  place: CodePlace,
  schema: Schema,
  document: FlowDocument,
): readonly Choice[] {
  const { kind, path } = place
  const isOwn = (at: JsonPath) =>
    kind === 'value' && at.length === path.length && at.every((it, i) => it === path[i])
  const schemas = schemasAt(schema, path, (at) => (isOwn(at) ? undefined : textAt(code, at)))
  if (kind === 'value') return distinct([...schemas.flatMap(valuesOf), ...stepsAt(code, path, document)])
  const taken = namesAt(code, path)
  const current = place.isQuoted ? code.doc.sliceString(place.from + 1, place.to - 1) : ''
  const isOpen = schemas.length > 1
  return distinct(schemas.flatMap((it) => namesOf(it, isOpen))).filter(
    ({ label }) => label === current || !taken.has(label),
  )
}

/**
 * The field names of a schema. While several schemas match, the field that distinguishes them is offered as a choice.
 */
function namesOf({ properties = {}, required = [] }: Schema, isOpen: boolean): readonly Choice[] {
  return Object.entries(properties).map(([name, schema]) => {
    const tells = isOpen && schema.enum?.length === 1
    const word = tells ? 'choice' : wordFor(schema)
    return {
      label: name,
      detail: required.includes(name) ? `${word}, required` : word,
      info: tells ? '' : (schema.description ?? ''),
      begins: tells ? '""' : beginningOf(schema),
    }
  })
}

function valuesOf({ type, enum: choices, description = '' }: Schema): readonly Choice[] {
  const values =
    choices?.map((choice) => JSON.stringify(choice)) ?? (type === 'boolean' ? ['true', 'false'] : [])
  return values.map((label) => ({ label, detail: '', info: description, begins: '' }))
}

/** The step IDs, at paths that refer to steps. */
function stepsAt(code: Code, path: JsonPath, document: FlowDocument): readonly Choice[] {
  const at = stepWithin(path)
  if (at === undefined) return []
  const { rest } = at
  const isEntry = typeof rest.at(-1) === 'number'
  const role = roleAt(isEntry ? rest.slice(0, -1) : rest)
  if (role !== (isEntry ? 'steps' : 'step')) return []
  const own = textAt(code, [...at.step, 'id'])
  const beside = own === undefined ? undefined : placeOfStep(document, own)?.beside
  return (beside ?? document.definition.steps)
    .filter(({ id }) => id !== own)
    .map((step) => ({ label: JSON.stringify(step.id), detail: nameOf(step), info: '', begins: '' }))
}

/** The paths that `{{` can complete to inside of a step, the nearest first. */
export function pathsAt(code: Code, path: JsonPath, known: Known): readonly { path: string; from: string }[] {
  const at = stepWithin(path)
  const id = at === undefined ? undefined : textAt(code, [...at.step, 'id'])
  const step = id === undefined ? undefined : stepIn(known.document, id)
  if (at === undefined || step === undefined) return []
  const begins = suggestionsFor(known, step.id)
  return suggestionsAt(step, at.rest, { begins, own: suggestionsOfOwn(known, step.id) })
}

/** The path of the innermost step around a path, and the path inside the step. */
function stepWithin(path: JsonPath): { readonly step: JsonPath; readonly rest: JsonPath } | undefined {
  let depth = 0
  while (path[depth] === 'steps' && typeof path[depth + 1] === 'number') depth += 2
  return depth === 0 ? undefined : { step: path.slice(0, depth), rest: path.slice(depth) }
}

function wordFor({ type, enum: choices, anyOf }: Schema): string {
  if (choices !== undefined) return choices.length === 1 ? String(choices[0]) : 'choice'
  if (anyOf !== undefined) return [...new Set(anyOf.map(wordFor))].join(' or ')
  return words[type ?? ''] ?? 'anything'
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
}

function beginningOf({ type, enum: choices }: Schema): string {
  if (choices !== undefined) return choices.length === 1 ? JSON.stringify(choices[0]) : '""'
  return { string: '""', array: '[]', object: '{}' }[type ?? ''] ?? ''
}

function distinct(choices: readonly Choice[]): readonly Choice[] {
  return [...new Map(choices.toReversed().map((choice) => [choice.label, choice])).values()].toReversed()
}

/** Reads the text at a path, by which one of several schemas is recognised. */
type ReadText = (path: JsonPath) => string | undefined

/** The schemas that the value at a path may follow: several while the text does not distinguish them. */
function schemasAt(root: Schema, path: JsonPath, read: ReadText): readonly Schema[] {
  let found = branchesOf(root, [], read)
  for (const [index, part] of path.entries()) {
    const at = path.slice(0, index + 1)
    // The steps inside of a container follow the schema of the steps of the flow.
    const isStep = stepWithin(at)?.rest.length === 0
    found = isStep
      ? branchesOf(root.properties?.['steps']?.items ?? {}, at, read)
      : found.flatMap((schema) => below(schema, part)).flatMap((schema) => branchesOf(schema, at, read))
  }
  return found
}

function below(
  { properties, additionalProperties, items }: Schema,
  part: string | number,
): readonly Schema[] {
  if (typeof part === 'number') return items === undefined ? [] : [items]
  const own = properties !== undefined && Object.hasOwn(properties, part) ? properties[part] : undefined
  if (own !== undefined) return [own]
  return typeof additionalProperties === 'object' ? [additionalProperties] : []
}

function branchesOf(schema: Schema, at: JsonPath, read: ReadText): readonly Schema[] {
  const { anyOf, description } = schema
  if (anyOf === undefined) return [schema]
  const fitting = anyOf.filter((branch) => fits(branch, at, read))
  return (fitting.length > 0 ? fitting : anyOf)
    .flatMap((branch) => branchesOf(branch, at, read))
    .map((branch) => (description === undefined ? branch : { description, ...branch }))
}

/** Whether a schema matches the text: a field with a single choice distinguishes it from the others. */
function fits({ properties = {} }: Schema, at: JsonPath, read: ReadText): boolean {
  return Object.entries(properties).every(([name, { enum: choices }]) => {
    if (choices?.length !== 1) return true
    const said = read([...at, name])
    return said === undefined || choices.includes(said)
  })
}
