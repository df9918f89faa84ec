import type { DraftStep, FlowDocument } from '../document/flow-document.ts'
import { isObject, type Json } from '../document/json.ts'
import { placedSteps } from '../document/scopes.ts'
import { containerOf } from '../document/step-kinds.ts'
import { placeholdersIn, splitPath } from '../form/paths/placeholders.ts'

/** A value that the flow reads from the context of an execution. */
export interface ContextRead {
  readonly path: string
  /** What the flow expects there. */
  readonly kind: 'text' | 'number' | 'list'
}

/** Names that are never part of the context. */
const reserved = new Set(['steps', 'previous', 'secrets', 'errors', 'now', 'memory'])

/** More inputs would be no help. */
const maxReads = 200

/** Every path that the steps of a flow read and no step writes, in reading order; optional ones too. */
export function contextReads({ definition }: FlowDocument): readonly ContextRead[] {
  const placed = [...placedSteps(definition).values()]
  const written = new Set(placed.flatMap(({ step }) => textOf(step['output_to_memory'])))
  const found = new Map<string, ContextRead>()
  for (const { step, around } of placed) {
    const variables = new Set(
      around
        .flatMap((container) => containerOf(container)?.variables(container) ?? [])
        .map(({ name }) => name),
    )
    for (const { path, bare, first, kind } of readsOf(step)) {
      const isContext =
        first !== '' &&
        !reserved.has(first) &&
        (bare !== path || !(written.has(first) || variables.has(first)))
      const before = found.get(bare)
      if (isContext && (before === undefined || before.kind === 'text')) found.set(bare, { path: bare, kind })
    }
  }
  return withoutParents([...found.values()]).slice(0, maxReads)
}

/** A path whose inner paths are read too needs no value of its own. */
function withoutParents(reads: readonly ContextRead[]): readonly ContextRead[] {
  const parents = new Set(reads.flatMap(({ path }) => parentsOf(path)))
  return reads.filter(({ path }) => !parents.has(path))
}

/** `a.b` and `a` of `a.b.c`. */
function parentsOf(path: string): readonly string[] {
  return [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index))
}

interface StepRead extends ContextRead {
  /** The path without the word `context`. */
  readonly bare: string
  /** The first name of the bare path. */
  readonly first: string
}

const known = new WeakMap<DraftStep, readonly StepRead[]>()

/** The paths that a step reads. Unchanged steps are read once, because the flow is read again for every key that is typed. */
function readsOf(step: DraftStep): readonly StepRead[] {
  const before = known.get(step)
  if (before !== undefined) return before
  const reads = findReads(step).map((read) => {
    const bare = read.path.replace(/^context\./, '')
    return { ...read, bare, first: splitPath(bare)?.[0] ?? '' }
  })
  known.set(step, reads)
  return reads
}

function findReads(step: DraftStep): readonly ContextRead[] {
  const { steps: _, transformations, conditions, items, ...texts } = step
  return [
    ...textsWithin(texts).flatMap(pathsOfText),
    ...listOf(conditions).flatMap(readsOfCondition),
    ...listOf(transformations).flatMap(readsOfTransformation),
    ...textOf(items).flatMap((path) => plainRead(path.replaceAll(/^\{\{|\}\}$/g, ''), 'list')),
  ]
}

/** The paths in the placeholders of a text; one with a default is `{{path ?? "text"}}`, and expressions are left out. */
function pathsOfText(text: string): readonly ContextRead[] {
  return placeholdersIn(text).flatMap(({ path }) => plainRead(path.split('??')[0] ?? '', 'text'))
}

function plainRead(path: string, kind: ContextRead['kind']): readonly ContextRead[] {
  const trimmed = path.trim()
  return trimmed === '' || trimmed.startsWith('=') || splitPath(trimmed) === undefined
    ? []
    : [{ path: trimmed, kind }]
}

const ordering = new Set(['<', '>', '<=', '>='])

function readsOfCondition(condition: Json): readonly ContextRead[] {
  if (!isObject(condition)) return []
  const { field, operator, value, all, any, not } = condition
  const isNumber = typeof value === 'number' || (typeof operator === 'string' && ordering.has(operator))
  return [
    ...textOf(field).flatMap((path) => plainRead(path, isNumber ? 'number' : 'text')),
    ...[...listOf(all), ...listOf(any), not ?? null].flatMap(readsOfCondition),
  ]
}

const listOperations = new Set(['filter', 'map', 'sort', 'group', 'aggregate', 'join'])

function readsOfTransformation(transformation: Json): readonly ContextRead[] {
  if (!isObject(transformation)) return []
  const { operation, sources, source, left, right } = transformation
  const kind = typeof operation === 'string' && listOperations.has(operation) ? 'list' : 'text'
  return [...listOf(sources), source ?? null, left ?? null, right ?? null]
    .flatMap((path) => textOf(path))
    .flatMap((path) => plainRead(path, kind))
}

function textsWithin(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsWithin)
  return isObject(value) ? Object.values(value).flatMap(textsWithin) : []
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

function textOf(value: Json | undefined): readonly string[] {
  return typeof value === 'string' && value !== '' ? [value] : []
}
