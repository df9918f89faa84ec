import { expect, test } from 'vitest'
import { type ChosenAgent, firstChosen, moveChosen, nextKey, requestOf } from './chosen-agents.ts'

const chosen: readonly ChosenAgent[] = ['a', 'b', 'b'].map((agent, index) => ({
  key: index + 1,
  agent,
  instructions: '',
  typed: {},
}))

test('begins with the given agent, when it exists', () => {
  expect(firstChosen([{ id: 'a' }], 'a').map(({ agent }) => agent)).toEqual(['a'])
  expect(firstChosen([{ id: 'a' }], 'x')).toEqual([])
  expect(nextKey(chosen)).toBe(4)
})

test('moves an agent, and stops at the ends', () => {
  expect(moveChosen(chosen, 0, 1).map(({ key }) => key)).toEqual([2, 1, 3])
  expect(moveChosen(chosen, 2, -1).map(({ key }) => key)).toEqual([1, 3, 2])
  expect(moveChosen(chosen, 0, -1)).toBe(chosen)
  expect(moveChosen(chosen, 2, 1)).toBe(chosen)
})

test('the request has instructions and parameters only where they are given', () => {
  const [first, second] = chosen
  if (first === undefined || second === undefined) throw new Error('two are chosen')
  const wanted = [
    { ...first, instructions: ' Be kind. ' },
    { ...second, parameters: { most: 3 } },
  ]
  expect(requestOf({ label: ' Review ', mode: 'parallel', chosen: wanted })).toEqual({
    label: 'Review',
    mode: 'parallel',
    agents: [
      { agent: 'a', instructions: 'Be kind.' },
      { agent: 'b', parameters: { most: 3 } },
    ],
  })
})
