import type { Json } from '../../document/json.ts'
import type { Shape } from './shape.ts'

/** The initial value of a new entry: its required fields, empty. */
export function beginningOf(shape: Shape): Json {
  if (shape.kind === 'choice') return shape.choices[0] ?? ''
  if (shape.kind === 'flag') return false
  if (shape.kind === 'list') return []
  if (shape.kind === 'record') return {}
  if (shape.kind === 'group or text') return beginningOf(shape.group)
  if (shape.kind === 'group') {
    const needed = shape.fields.filter(({ isRequired }) => isRequired)
    return Object.fromEntries(needed.map((field) => [field.name, beginningOf(field.shape)]))
  }
  return ''
}
