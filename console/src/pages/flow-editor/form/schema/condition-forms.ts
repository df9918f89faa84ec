import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { Field, GroupShape, Shape } from './shape.ts'

/** The forms of a condition: a comparison of one value, a group of conditions, or an expression. */
export const conditionForms = ['comparison', 'all', 'any', 'not', 'expression'] as const

export type ConditionForm = (typeof conditionForms)[number]

/** The fields that only one form has. */
const fieldsOfForm: Readonly<Record<ConditionForm, readonly string[]>> = {
  comparison: ['field', 'operator', 'value'],
  all: ['all'],
  any: ['any'],
  not: ['not'],
  expression: ['expression'],
}

const ofAnyForm = new Set(Object.values(fieldsOfForm).flat())

/** Whether the fields of a group are those of a condition. */
export function isCondition(shape: Shape): boolean {
  if (shape.kind !== 'group') return false
  const names = new Set(shape.fields.map(({ name }) => name))
  return ['operator', 'expression', 'all', 'any', 'not'].every((name) => names.has(name))
}

/** Conditions deeper inside are written as JSON. */
const maxDepth = 3

/** The condition with the fields of the conditions inside, which the schema leaves open because it has no recursion. */
export function withInnerConditions(condition: GroupShape, depth = maxDepth): GroupShape {
  const tested = condition.fields.filter(({ name }) => ofAnyForm.has(name))
  const inner: Shape =
    depth === 0 ? { kind: 'json' } : withInnerConditions({ kind: 'group', fields: tested }, depth - 1)
  return {
    kind: 'group',
    fields: condition.fields.map((field): Field => {
      if (field.name === 'not') return { ...field, shape: inner }
      if (field.name !== 'all' && field.name !== 'any') return field
      const most = field.shape.kind === 'list' ? field.shape.most : undefined
      return { ...field, shape: depth === 0 ? { kind: 'json' } : { kind: 'list', entry: inner, most } }
    }),
  }
}

/** The form of a condition. A condition without any field is a comparison. */
export function formOf(condition: Json | undefined): ConditionForm {
  if (!isObject(condition)) return 'comparison'
  return (
    (['expression', 'all', 'any', 'not'] as const).find((form) => condition[form] !== undefined) ??
    'comparison'
  )
}

/** The fields that a form of a condition shows: its own ones, those that are no form, and others with a value. */
export function fieldsShown(shape: GroupShape, condition: Json | undefined): readonly Field[] {
  const own = fieldsOfForm[formOf(condition)]
  const held = isObject(condition) ? condition : {}
  return shape.fields
    .filter(({ name }) => !ofAnyForm.has(name) || own.includes(name) || held[name] !== undefined)
    .map((field) =>
      own.includes(field.name) && field.name !== 'value' ? { ...field, isRequired: true } : field,
    )
}

/** The condition in another form, with as much of its meaning as the form can have. */
export function asForm(condition: JsonObject, form: ConditionForm): JsonObject {
  const before = formOf(condition)
  if (before === form) return condition
  const others = Object.fromEntries(Object.entries(condition).filter(([name]) => !ofAnyForm.has(name)))
  const tested = Object.fromEntries(Object.entries(condition).filter(([name]) => ofAnyForm.has(name)))
  return { ...contentOf(tested, before, form), ...others }
}

const emptyComparison: JsonObject = { field: '', operator: '==' }

function contentOf(tested: JsonObject, before: ConditionForm, form: ConditionForm): JsonObject {
  const inside = before === 'all' || before === 'any' ? listOf(tested[before]) : []
  const isEmpty = before === 'expression' ? tested['expression'] === '' : Object.keys(tested).length === 0
  const one = isEmpty ? emptyComparison : tested
  if (form === 'all' || form === 'any') return { [form]: inside.length > 0 ? inside : [one] }
  if (form === 'not') return { not: one }
  if (form === 'expression') return { expression: expressionOf(tested) ?? '' }
  const first = before === 'not' ? tested['not'] : inside[0]
  return isObject(first) && formOf(first) === 'comparison' ? first : emptyComparison
}

const compared = new Set(['>=', '<', '>', '<=', '==', '!=', 'in'])

/** The condition as an expression; undefined where an expression means something else. */
export function expressionOf(condition: JsonObject): string | undefined {
  const form = formOf(condition)
  const written = condition['expression']
  if (form === 'expression') return typeof written === 'string' ? written : undefined
  if (form === 'not') {
    const inner = isObject(condition['not'] ?? null)
      ? expressionOf(condition['not'] as JsonObject)
      : undefined
    return inner === undefined ? undefined : `!(${inner})`
  }
  if (form === 'all' || form === 'any') {
    const parts = listOf(condition[form]).map((part) => (isObject(part) ? expressionOf(part) : undefined))
    if (parts.length === 0 || parts.includes(undefined)) return undefined
    return parts
      .map((part) => (parts.length === 1 ? part : `(${part})`))
      .join(form === 'all' ? ' && ' : ' || ')
  }
  const { field, operator, value } = condition
  const isPlain = typeof field === 'string' && /^[A-Za-z_][\w.]*$/.test(field)
  if (!isPlain || typeof operator !== 'string' || !compared.has(operator) || value === undefined)
    return undefined
  return `${field} ${operator} ${JSON.stringify(value)}`
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}
