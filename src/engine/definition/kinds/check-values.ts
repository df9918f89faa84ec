import type { Problem } from '#kernel/errors'
import { describeBadPlaceholder, placeholdersIn } from '../../expressions/templates.ts'
import type { Comparison } from '../common-step.ts'

/** Checks the placeholders of a text, or of all texts inside a value. */
export function checkTemplate(template: unknown, place: string): Problem[] {
  return placeholdersIn(template ?? '').flatMap((path) => checkPath(path, place))
}

export function checkPath(path: string, place: string): Problem[] {
  const message = describeBadPlaceholder(path)
  return message === undefined ? [] : [{ path: place, message, code: 'path' }]
}

export function checkComparison({ operator, value, field }: Comparison, place: string): Problem[] {
  const wrong = (message: string): Problem[] => [{ path: `${place}.value`, message, code: 'value' }]
  if (describeBadPlaceholder(field) !== undefined) {
    return [{ path: `${place}.field`, message: 'is not a path such as analysis.score', code: 'path' }]
  }
  if (operator === 'exists')
    return value === undefined || typeof value === 'boolean'
      ? []
      : wrong('must be true or false with "exists"')
  if (value === undefined) return wrong(`is required with "${operator}"`)
  if (operator === 'in' && !Array.isArray(value)) return wrong('must be a list with "in"')
  if (operator === 'matches' && typeof value !== 'string') return wrong('must be a text with "matches"')
  const ordered = operator === '<' || operator === '>' || operator === '<=' || operator === '>='
  if (ordered && typeof value !== 'number' && typeof value !== 'string')
    return wrong(`must be a number or a text with "${operator}"`)
  return []
}
