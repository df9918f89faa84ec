import { expect, test } from 'vitest'
import { describeNested, nameOfScope } from './inner-words.ts'

test.each([
  ['for_each', 0, 'Item 1'],
  ['repeat_until', 2, 'Iteration 3'],
  ['sub_flow', 0, 'Steps'],
  ['tool_agent', 0, 'Turn 1'],
  ['tool_agent', 1, 'Calls of turn 1'],
  ['tool_agent', 4, 'Turn 3'],
])('a scope of %s with number %i is %s', (type, index, name) => expect(nameOfScope(type, index)).toBe(name))

test('the progress of a container names what failed', () => {
  expect(describeNested('for_each', { total: 3, completed: 2, failed: 1 })).toBe('2 of 3 items, 1 failed')
  expect(describeNested('sub_flow', { total: 1, completed: 1, failed: 0 })).toBe('Inner steps')
  expect(describeNested('tool_agent', { total: 24, completed: 3, failed: 0 })).toBe('Turns and calls: 3')
})
