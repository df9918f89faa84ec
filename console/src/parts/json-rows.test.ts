import { assert, jsonValue, property } from 'fast-check'
import { expect, test } from 'vitest'
import { jsonRows, openAtFirst, pathText } from './json-rows.ts'

const nothing: ReadonlySet<string> = new Set()

test('paths are written as in code', () => {
  expect(pathText(['steps', 0, 'label'])).toBe('steps[0].label')
  expect(pathText(['a b', 'c'])).toBe('["a b"].c')
  expect(pathText([])).toBe('')
})

test('members of open values follow them, with their place', () => {
  const rows = jsonRows({ a: [1, 2], b: 'x' }, { open: new Set(['', 'a']), whole: nothing })
  expect(rows.map(({ id, size, position, siblings }) => [id, size, position, siblings])).toEqual([
    ['', 2, 1, 1],
    ['a', 2, 1, 2],
    ['a[0]', undefined, 1, 2],
    ['a[1]', undefined, 2, 2],
    ['b', undefined, 2, 2],
  ])
})

test('a long list is shown in part, until all of it is asked for', () => {
  const list = Array.from({ length: 250 }, (_, index) => index)
  const some = jsonRows(list, { open: new Set(['']), whole: nothing })
  expect(some.length).toBe(101)
  expect(some.at(-1)?.left).toBe(150)
  const all = jsonRows(list, { open: new Set(['']), whole: new Set(['']) })
  expect(all.length).toBe(251)
  expect(all.at(-1)?.left).toBe(0)
})

test('a small value is open at first, a large one only at the top', () => {
  expect([...openAtFirst({ a: { b: { c: 1 } } })]).toEqual(['', 'a', 'a.b'])
  const large = { rows: Array.from({ length: 100 }, () => ({ name: 'x' })) }
  expect([...openAtFirst(large)]).toEqual([''])
})

test('every row has an id of its own', () => {
  assert(
    property(jsonValue(), (value) => {
      const ids = jsonRows(value, { open: openAtFirst(value, 1_000), whole: nothing }).map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }),
  )
})
