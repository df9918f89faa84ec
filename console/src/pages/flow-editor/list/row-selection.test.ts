import { describe, expect, test } from 'vitest'
import { rowAfterKey, selectionAfterClick } from './row-selection.ts'

const ids = ['a', 'b', 'c', 'd']
const plain = { shiftKey: false, ctrlKey: false, metaKey: false }

describe('clicking a step', () => {
  test('selects it alone', () => {
    expect(selectionAfterClick(ids, ['a', 'b'], 'c', plain)).toEqual(['c'])
  })

  test('with Ctrl or Command adds it, or takes it away', () => {
    expect(selectionAfterClick(ids, ['a'], 'c', { ...plain, ctrlKey: true })).toEqual(['a', 'c'])
    expect(selectionAfterClick(ids, ['a', 'c'], 'a', { ...plain, metaKey: true })).toEqual(['c'])
  })

  test('with Shift selects all between, again and again from where it began', () => {
    const shift = { ...plain, shiftKey: true }
    const down = selectionAfterClick(ids, ['b'], 'd', shift)
    expect(down).toEqual(['b', 'c', 'd'])
    expect(selectionAfterClick(ids, down, 'a', shift)).toEqual(['b', 'a'])
    expect(selectionAfterClick(ids, [], 'c', shift)).toEqual(['c'])
  })
})

test('arrows, Home and End lead to rows, and stop at the ends', () => {
  expect(['ArrowUp', 'ArrowDown', 'Home', 'End'].map((key) => rowAfterKey(key, 1, 3))).toEqual([0, 2, 0, 2])
  expect(rowAfterKey('ArrowUp', 0, 3)).toBe(0)
  expect(rowAfterKey('ArrowDown', 2, 3)).toBe(2)
  expect(rowAfterKey('x', 1, 3)).toBeUndefined()
  expect(rowAfterKey('toString', 1, 3)).toBeUndefined()
})
