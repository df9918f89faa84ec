import type { Json } from '../../document/json.ts'
import type { Shape } from './shape.ts'

/** The fields of a condition that a new one has: it starts as a comparison, and not as one of its other forms. */
const comparisonFields = new Set(['field', 'operator'])

/** The initial value of a new entry: its required fields, empty. */
export function beginningOf(shape: Shape): Json {
  if (shape.kind === 'choice') return shape.choices[0] ?? ''
  if (shape.kind === 'flag') return false
  if (shape.kind === 'list') return []
  if (shape.kind === 'record') return {}
  if (shape.kind === 'group or text') return beginningOf(shape.group)
  if (shape.kind === 'group') {
    const isCondition = ['operator', 'expression'].every((name) =>
      shape.fields.some((field) => field.name === name),
    )
    const needed = shape.fields.filter(
      ({ name, isRequired }) => isRequired || (isCondition && comparisonFields.has(name)),
    )
    return Object.fromEntries(needed.map((field) => [field.name, beginningOf(field.shape)]))
  }
  return ''
}
