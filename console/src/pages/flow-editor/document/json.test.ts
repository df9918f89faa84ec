import { expect, test } from 'vitest'
import { isSameJson, valueAt, withValueAt } from './json.ts'

const value = { api: { headers: { accept: 'text' } }, list: [{ a: 1 }, { a: 2 }] }

test('a path leads to a value, or to undefined where it does not exist', () => {
  expect(valueAt(value, ['list', 1, 'a'])).toBe(2)
  expect(valueAt(value, [])).toBe(value)
  expect(valueAt(value, ['list', 2, 'a'])).toBeUndefined()
  expect(valueAt(value, ['api', 'toString'])).toBeUndefined()
  expect(valueAt('text', ['length'])).toBeUndefined()
})

test('a value is set in a copy, and missing parents are created', () => {
  expect(withValueAt(value, ['list', 0, 'a'], 9)).toEqual({ ...value, list: [{ a: 9 }, { a: 2 }] })
  expect(value.list[0]).toEqual({ a: 1 })
  expect(withValueAt({}, ['conditions', 0, 'action', 'next_step'], 'b')).toEqual({
    conditions: [{ action: { next_step: 'b' } }],
  })
})

test('undefined removes a field or an entry', () => {
  expect(withValueAt(value, ['api', 'headers'], undefined)).toEqual({ api: {}, list: value.list })
  expect(withValueAt(value, ['list', 0], undefined)).toEqual({ api: value.api, list: [{ a: 2 }] })
  expect(withValueAt(value, ['list', 7], undefined)).toEqual(value)
  expect(withValueAt(value, ['absent', 'below'], undefined)).toEqual({ ...value, absent: {} })
})

test('values are equal in any order of their fields', () => {
  expect(isSameJson({ a: 1, b: [null] }, { b: [null], a: 1 })).toBe(true)
  expect(isSameJson([1, 2], [2, 1])).toBe(false)
  expect(isSameJson({ a: null }, { b: null })).toBe(false)
  expect(isSameJson([], {})).toBe(false)
})
