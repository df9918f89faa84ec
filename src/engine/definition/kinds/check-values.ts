import type { Problem } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import { splitPath } from '../../expressions/paths.ts'
import { describeBadExpression } from '../../expressions/placeholders.ts'
import {
  describeBadPlaceholder,
  describeOpenPlaceholder,
  placeholdersIn,
} from '../../expressions/templates.ts'
import { type Comparison, Test } from '../common-step.ts'

/** Checks the placeholders of a text, or of all texts inside a value. */
export function checkTemplate(template: unknown, place: string): Problem[] {
  const open = describeOpenPlaceholder(template)
  return [
    ...(open === undefined ? [] : [{ path: place, message: open, code: 'path' }]),
    ...placeholdersIn(template ?? '').flatMap((written) => checkPlaceholder(written, place)),
  ]
}

function checkPlaceholder(written: string, place: string): Problem[] {
  const message = describeBadPlaceholder(written)
  return message === undefined
    ? []
    : [{ path: place, message, code: written.startsWith('=') ? 'expression' : 'path' }]
}

/** Checks that a text is an expression. */
export function checkExpression(source: string | undefined, place: string): Problem[] {
  const message = source === undefined ? undefined : describeBadExpression(source)
  return message === undefined ? [] : [{ path: place, message, code: 'expression' }]
}

export function checkPath(path: string, place: string): Problem[] {
  if (splitPath(path) !== undefined) return []
  return [{ path: place, message: `"{{${path}}}" is not a path such as {{analysis.score}}`, code: 'path' }]
}

function checkComparison({ operator, value, field }: Comparison, place: string): Problem[] {
  const wrong = (message: string): Problem[] => [{ path: `${place}.value`, message, code: 'value' }]
  if (splitPath(field) === undefined) {
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

/** Nested deeper, or with more comparisons, a condition is hard to read; an expression is shorter. */
const maxDepth = 5
const maxLeaves = 100

const forms = ['field', 'all', 'any', 'not', 'expression'] as const

const checkShape = createValueCheck(Test)

/** Checks a condition whose own fields match the schema, with the conditions inside. */
export function checkCondition(condition: Test, place: string): Problem[] {
  let leaves = 0

  function visit(test: Test, at: string, depth: number): Problem[] {
    const used = forms.filter((form) => test[form] !== undefined)
    if (used.length > 1) {
      const message = `has ${used.join(' and ')}; a condition has one of ${forms.join(', ')}`
      return [{ path: at, message, code: 'one_of' }]
    }
    const [form = 'field'] = used
    if (form !== 'field') {
      const useless = (['operator', 'value'] as const).filter((name) => test[name] !== undefined)
      if (useless.length > 0)
        return useless.map((name) => ({
          path: `${at}.${name}`,
          message: `has no effect with "${form}"`,
          code: 'no_effect',
        }))
    }
    if (form === 'all' || form === 'any')
      return (test[form] ?? []).flatMap((inner, index) => visitInner(inner, `${at}.${form}[${index}]`, depth))
    if (form === 'not') return visitInner(test.not ?? {}, `${at}.not`, depth)
    leaves += 1
    if (leaves === maxLeaves + 1)
      return [{ path: at, message: `is one of more than ${maxLeaves} comparisons`, code: 'too_many' }]
    if (form === 'expression') return checkExpression(test.expression, `${at}.expression`)
    const { field, operator, value } = test
    if (field === undefined) {
      const message = 'is required, unless the condition has all, any, not or expression'
      return [{ path: `${at}.field`, message, code: 'required' }]
    }
    if (operator === undefined) return [{ path: `${at}.operator`, message: 'is required', code: 'required' }]
    return checkComparison({ field, operator, value }, at)
  }

  function visitInner(inner: unknown, at: string, depth: number): Problem[] {
    if (depth >= maxDepth)
      return [{ path: at, message: `is nested more than ${maxDepth} levels deep`, code: 'too_deep' }]
    const problems = checkShape(inner)
    if (problems.length === 0) return visit(inner as Test, at, depth + 1)
    return problems.map((problem) => ({
      ...problem,
      path: problem.path === '' ? at : `${at}.${problem.path}`,
    }))
  }

  return visit(condition, place, 1)
}
