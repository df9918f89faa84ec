import type { Json } from '../../document/json.ts'
import { isCondition } from './condition-forms.ts'
import type { GroupShape, Shape } from './shape.ts'

/** The fields of a condition that a new one has: it starts as a comparison, and not as one of its other forms. */
const comparisonFields = new Set(['field', 'operator'])

/** The initial value of a new entry: its required fields, empty. */
export function beginningOf(shape: Shape): Json {
  if (shape.kind === 'choice') return shape.choices[0] ?? ''
  if (shape.kind === 'flag') return false
  if (shape.kind === 'list') return []
  if (shape.kind === 'record') return {}
  if (shape.kind === 'group or text') return beginningOf(shape.group)
  if (shape.kind === 'group' && shape.variants !== undefined) return beginningOfVariant(shape.variants)
  if (shape.kind === 'group') {
    const isTest = isCondition(shape)
    const needed = shape.fields.filter(
      ({ name, isRequired }) => isRequired || (isTest && comparisonFields.has(name)),
    )
    return Object.fromEntries(needed.map((field) => [field.name, beginningOf(field.shape)]))
  }
  return ''
}

/** The initial value of an object of a type; by default of the first. */
export function beginningOfVariant(
  variants: NonNullable<GroupShape['variants']>,
  type = Object.keys(variants)[0] ?? '',
): { readonly [name: string]: Json } {
  const needed = (variants[type] ?? []).filter(({ isRequired }) => isRequired)
  return { type, ...Object.fromEntries(needed.map(({ name, shape }) => [name, beginningOf(shape)])) }
}
