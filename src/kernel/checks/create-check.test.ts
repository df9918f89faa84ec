import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { createCheck } from './create-check.ts'

test('a check accepts values of its schema and refuses others, at the first use and later', () => {
  const check = createCheck(Type.Object({ name: Type.String({ maxLength: 3 }) }))
  expect(check.Check({ name: 'abcd' })).toBe(false)
  expect(check.Check({ name: 'abc' })).toBe(true)
  expect(check.Check(null)).toBe(false)
})

test('a schema that cannot be compiled is refused at the first use, not when the check is created', () => {
  const check = createCheck({ type: 'string', pattern: '(' })
  expect(() => check.Check('text')).toThrow(/regular expression/)
})
