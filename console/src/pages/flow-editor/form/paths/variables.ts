import { type DraftStep, type FlowDocument, stepIn } from '../../document/flow-document.ts'
import { isObject, type Json, type JsonObject, type JsonPath, valueAt } from '../../document/json.ts'
import { allSteps, placeOfStep } from '../../document/scopes.ts'
import { containerOf } from '../../document/step-kinds.ts'
import { splitPath } from './placeholders.ts'
import type { Known } from './suggestions.ts'

/** Larger data is not sent with every pause in typing. */
const maxCharacters = 200_000

/**
 * The data an expression of a step reads, as far as the sample input and the last test run have it. Undefined when it
 * is too large to try the expression.
 */
export function variablesFor(
  known: Pick<Known, 'document' | 'sample' | 'outputs'>,
  id: string,
  { expression, path }: { readonly expression: string; readonly path: JsonPath },
): JsonObject | undefined {
  const named = new Set(expression.match(/[A-Za-z_]\w*/g) ?? [])
  const all = valuesFor(known, id)
  const entries = { ...all, ...entriesOfList(all, stepIn(known.document, id), path) }
  const used = Object.fromEntries(Object.entries(entries).filter(([name]) => named.has(name)))
  return JSON.stringify(used).length > maxCharacters ? undefined : used
}

/** Every value that a step can read, by its name. */
function valuesFor(
  { document, sample, outputs }: Pick<Known, 'document' | 'sample' | 'outputs'>,
  id: string,
): JsonObject {
  const made = [...outputs].flatMap(([step, output]) =>
    output === undefined ? [] : [[step, output] as const],
  )
  const values = new Map<string, Json>(Object.entries(sample ?? {}))
  for (const [key, output] of remembered(document, new Map(made))) values.set(key, output)
  values.set('steps', Object.fromEntries(made))
  for (const container of placeOfStep(document, id)?.around ?? []) {
    const first = valueOf(Object.fromEntries(values), container['items'])
    const [item, index] = containerOf(container)?.variables(container) ?? []
    if (item !== undefined && Array.isArray(first) && first.length > 0) {
      values.set(item.name, (first as readonly Json[])[0] ?? null)
    }
    if (index !== undefined) values.set(index.name, 0)
  }
  return Object.fromEntries(values)
}

function remembered(document: FlowDocument, made: ReadonlyMap<string, Json>): (readonly [string, Json])[] {
  return allSteps(document.definition.steps).flatMap(({ id, output_to_memory: key }) => {
    const output = made.get(id)
    return typeof key === 'string' && output !== undefined ? [[key, output] as const] : []
  })
}

/** In a transformation of a list, an expression reads one entry as `item`; one of a group reads `items`. */
function entriesOfList(values: JsonObject, step: DraftStep | undefined, path: JsonPath): JsonObject {
  const [head, index, field] = path
  if (head !== 'transformations' || typeof index !== 'number') return {}
  const transformation = valueAt(step, [head, index])
  if (!isObject(transformation)) return {}
  const { source, left, right } = transformation
  const list = valueOf(values, field === 'right_key' ? right : field === 'left_key' ? left : source)
  if (!Array.isArray(list) || list.length === 0) return {}
  return { item: (list as readonly Json[])[0] ?? null, index: 0, items: list as readonly Json[] }
}

function valueOf(values: JsonObject, path: Json | undefined): Json | undefined {
  const bare = typeof path === 'string' ? path.replaceAll(/^\{\{|\}\}$/g, '') : ''
  const parts = bare === '' ? undefined : splitPath(bare)
  return parts === undefined ? undefined : valueAt(values, parts)
}
