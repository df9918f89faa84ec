import { expect, test } from 'vitest'
import { asForm, expressionOf, fieldsShown, formOf, isCondition } from './condition-forms.ts'
import { fieldAt } from './field-at.ts'
import { fieldsOfStep } from './form-fields.ts'

const high = { field: 'score', operator: '>=', value: 70 }
const german = { field: 'language', operator: '==', value: 'de' }
const action = { type: 'continue' }

test('a condition keeps its meaning in other forms, as far as they have it', () => {
  expect(asForm({ ...high, action }, 'all')).toEqual({ all: [high], action })
  expect(asForm({ all: [high, german], action }, 'any')).toEqual({ any: [high, german], action })
  expect(asForm({ any: [high, german] }, 'not')).toEqual({ not: { any: [high, german] } })
  expect(asForm({ not: high, action }, 'comparison')).toEqual({ ...high, action })
  expect(asForm({ all: [german, high] }, 'comparison')).toEqual(german)
  expect(asForm({ expression: '' }, 'all')).toEqual({ all: [{ field: '', operator: '==' }] })
  expect(asForm(high, 'comparison')).toBe(high)
})

test('a condition is written as an expression where both mean the same', () => {
  expect(asForm({ any: [high, { not: german }], action }, 'expression')).toEqual({
    expression: '(score >= 70) || (!(language == "de"))',
    action,
  })
  expect(expressionOf({ field: 'a b', operator: '==', value: 1 })).toBeUndefined()
  expect(expressionOf({ all: [high, { field: 'x', operator: 'exists' }] })).toBeUndefined()
})

test('only the fields of its form are shown, with others that have a value', () => {
  const shape = fieldAt(fieldsOfStep('conditional'), ['conditions', 0])?.shape
  if (shape?.kind !== 'group' || !isCondition(shape)) throw new Error('no condition')
  const shown = (condition: Parameters<typeof formOf>[0]) =>
    fieldsShown(shape, condition).map(({ name }) => name)
  expect(shown({ ...high, action })).toEqual(['field', 'operator', 'value', 'action'])
  expect(shown({ all: [], action })).toEqual(['all', 'action'])
  expect(shown({ expression: 'x', value: 1 })).toEqual(['value', 'expression', 'action'])
})

const at = (...path: (string | number)[]) =>
  fieldAt(fieldsOfStep('conditional'), ['conditions', 0, ...path])?.shape.kind

test('conditions inside have fields of their own, three levels deep', () => {
  expect(at('all', 0, 'operator')).toBe('choice')
  expect(at('all', 0, 'not', 'any', 1, 'operator')).toBe('choice')
  expect(at('all', 0, 'not', 'any', 1, 'all')).toBe('json')
})
