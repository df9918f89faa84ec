import { expect, test } from 'vitest'
import { selectionAfter } from './use-gestures.ts'

test('the selection keeps its order', () => {
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
