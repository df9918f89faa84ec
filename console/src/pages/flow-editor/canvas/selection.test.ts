import { expect, test } from 'vitest'
import { selectionAfter } from './selection.ts'

test('who is selected stays in order', () => {
  const after = selectionAfter(
    ['a', 'b'],
    [
      { id: 'c', selected: true },
      { id: 'a', selected: false },
      { id: 'b', selected: true },
    ],
  )
  expect(after).toEqual(['b', 'c'])
})
