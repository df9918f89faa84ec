import { isObject, type Json, type JsonObject, type JsonPath, valueAt } from '../../document/json.ts'
import { fieldAt } from './field-at.ts'
import type { Field } from './shape.ts'

/** A field and its path in the step. */
export interface PlacedField {
  readonly field: Field
  readonly path: JsonPath
}

/** The form of a step, from top to bottom. */
export interface StepLayout {
  readonly main: readonly PlacedField[]
  /** Fields that most steps leave at their default. */
  readonly advanced: readonly PlacedField[]
}

/**
 * The first fields of each step type, in their order; a path such as `ai_options.model` is taken out of its group.
 * Other fields of the type follow, unless they are advanced.
 */
const first: Readonly<Record<string, readonly string[]>> = {
  agent: ['agent', 'input', 'instructions', 'parameters'],
  for_each: ['items', 'as'],
  human: ['message', 'form', 'assignees'],
  sub_flow: ['flow', 'input'],
  tool_agent: ['ai_options.model', 'prompt', 'system_prompt', 'tools'],
}

/** The first fields of the other types, as far as they have them. */
const usuallyFirst = ['ai_options.model', 'prompt', 'ai_options.system_prompt']

/** Fields of single types that are advanced. */
const advanced: Readonly<Record<string, readonly string[]>> = {
  ai_prompt: ['post_processing', 'schema_attempts'],
  agent: ['agent_version'],
  for_each: ['concurrency', 'max_items', 'on_item_error', 'item_budget', 'keep_results'],
  human: ['notify', 'require_comment'],
  tool_agent: ['max_turns', 'max_tokens_total', 'max_cost', 'max_time', 'on_limit', 'approvals'],
}

/** Fields of any type that are advanced. */
const usuallyAdvanced = ['ai_options', 'output_schema', 'result', 'on_timeout', 'default']

/** Fields of every type that are not advanced. */
const usual = ['output_to_memory', 'dependencies']

/** Fields that every type has. They come after those of the type. */
const shared = new Set([
  'label',
  'dependencies',
  'output_to_memory',
  'validation',
  'retry_config',
  'parallel_execution',
  'error_handling',
  'on_error',
])

/** The fields of a step in the order of its form. The label has a place of its own, and steps inside have none. */
export function layOutStep(fields: readonly Field[], step: JsonObject): StepLayout {
  const type = typeof step['type'] === 'string' ? step['type'] : ''
  const lifted = (first[type] ?? usuallyFirst).flatMap((name) => {
    const path = name.split('.')
    const field = fieldAt(fields, path)
    return field === undefined ? [] : [{ field, path }]
  })
  const taken = new Set(lifted.map(({ path }) => path.join('.')))
  const left = fields.flatMap((field): PlacedField[] => {
    const { name } = field
    if (name === 'label' || name === 'steps' || taken.has(name)) return []
    return [{ field: withoutLifted(field, taken), path: [name] }]
  })
  const folded = new Set([...(advanced[type] ?? []), ...usuallyAdvanced])
  const isFolded = (placed: PlacedField) =>
    isOwn(placed) ? folded.has(placed.field.name) : !usual.includes(placed.field.name)
  const shown = left.filter((placed) => isShown(placed, step))
  return {
    main: [
      ...lifted,
      ...shown.filter((placed) => isOwn(placed) && !isFolded(placed)),
      ...usual.flatMap((name) => shown.filter(({ path }) => path[0] === name)),
    ],
    advanced: shown.filter(isFolded),
  }
}

/** Whether only some types have the field. */
function isOwn({ field }: PlacedField): boolean {
  return !shared.has(field.name)
}

/** The group without the fields that were taken out of it. */
function withoutLifted(field: Field, taken: ReadonlySet<string>): Field {
  const { shape, name } = field
  if (shape.kind !== 'group') return field
  const fields = shape.fields.filter((inner) => !taken.has(`${name}.${inner.name}`))
  return fields.length === shape.fields.length ? field : { ...field, shape: { kind: 'group', fields } }
}

/** Routing fields are shown only when routing is on; a field with a value is always shown. */
function isShown({ path: [name] }: PlacedField, step: JsonObject): boolean {
  if (name !== 'routing_prompt' && name !== 'routing_options') return true
  return step['agent_routing'] === true || step[name] !== undefined
}

/** The fields of a transformation that its operation uses. */
const fieldsOfOperation: Readonly<Record<string, readonly string[]>> = {
  merge: ['sources', 'merge_strategy', 'fields'],
  calculate_metrics: ['sources', 'fields', 'calculation_method', 'include_visualizations'],
  generate_summary: ['sources', 'fields', 'template', 'include_visualizations'],
  expression: ['expression'],
  parse: ['source', 'format', 'delimiter', 'header', 'selector'],
  filter: ['source', 'where'],
  map: ['source', 'expression'],
  sort: ['source', 'by', 'order'],
  group: ['source', 'by', 'aggregates'],
  aggregate: ['source', 'aggregates'],
  join: ['left', 'right', 'left_key', 'right_key', 'kind'],
  split: ['source', 'size'],
}

/** The fields of a group that apply to its value: a transformation has those of its operation, and others with a value. */
export function fieldsThatApply(fields: readonly Field[], value: Json | undefined): readonly Field[] {
  const operation = isObject(value) ? value['operation'] : undefined
  const used = typeof operation === 'string' ? fieldsOfOperation[operation] : undefined
  if (used === undefined || !fields.some(({ name }) => name === 'aggregates')) return fields
  return fields.filter(
    ({ name }) => name === 'operation' || used.includes(name) || valueAt(value, [name]) !== undefined,
  )
}
