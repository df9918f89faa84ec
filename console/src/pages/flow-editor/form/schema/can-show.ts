import { isObject, type Json } from '../../document/json.ts'
import type { Shape } from './shape.ts'

/** Whether the field of a shape can show a value. Other values are shown as JSON, so that none is hidden or lost. */
export function canShow(shape: Shape, value: Json | undefined): boolean {
  if (value === undefined || shape.kind === 'json') return true
  switch (shape.kind) {
    case 'text':
    case 'choice':
      return typeof value === 'string'
    case 'flag':
      return typeof value === 'boolean'
    // An incomplete number is kept as text.
    case 'number':
    case 'scalar':
      return !isObject(value) && !Array.isArray(value) && value !== null
    case 'group':
    case 'record':
      return isObject(value)
    case 'group or text':
      return isObject(value) || typeof value === 'string'
    default:
      return Array.isArray(value) && (value as readonly Json[]).every((entry) => isLine(entry, shape.entry))
  }
}

/** Lists of scalars are written one entry per line. */
function isLine(value: Json, entry: Shape): boolean {
  if (entry.kind === 'group') return true
  return canShow(entry, value) && !(typeof value === 'string' && value.includes('\n'))
}
