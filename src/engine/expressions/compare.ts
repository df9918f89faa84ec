import type { Comparison } from '../definition/common-step.ts'
import { asText } from './paths.ts'

export function compare(found: unknown, operator: Comparison['operator'], value: unknown): boolean {
  switch (operator) {
    case 'exists':
      return (found !== undefined && found !== null) === (value !== false)
    case '==':
      return isEqual(found, value)
    case '!=':
      return !isEqual(found, value)
    case 'contains':
      if (typeof found === 'string') return value !== undefined && found.includes(asText(value))
      return Array.isArray(found) && found.some((item) => isEqual(item, value))
    case 'in':
      return Array.isArray(value) && value.some((item) => isEqual(found, item))
    case 'matches':
      return typeof found === 'string' && typeof value === 'string' && matches(found, value)
    default:
      return isOrdered(found, operator, value)
  }
}

function isOrdered(found: unknown, operator: '<' | '<=' | '>' | '>=', value: unknown): boolean {
  const [left, right] = [orderOf(found), orderOf(value)]
  if (left === undefined || right === undefined || typeof left !== typeof right) return false
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  return operator === '>' ? left > right : left >= right
}

/** Compares numbers by value, also numbers in texts, which models often write; other texts by their characters. */
function orderOf(value: unknown): number | string | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value
  if (typeof value !== 'string') return undefined
  return numberIn(value) ?? value
}

function numberIn(text: string): number | undefined {
  return /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(text) ? Number(text) : undefined
}

function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'string') return left === numberIn(right)
  if (typeof left === 'string' && typeof right === 'number') return numberIn(left) === right
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object')
    return left === right
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(propertyOf(left, key), propertyOf(right, key)))
  )
}

function propertyOf(owner: object, key: string): unknown {
  return (owner as Record<string, unknown>)[key]
}

/** `*` matches any text. The pieces between are searched from left to right, so matching takes linear time. */
function matches(text: string, pattern: string): boolean {
  const pieces = pattern.split('*')
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false
  const end = text.length - last.length
  let from = first.length
  for (const piece of rest) {
    const at = text.indexOf(piece, from)
    if (at === -1 || at + piece.length > end) return false
    from = at + piece.length
  }
  return true
}
