import { expect, test } from 'vitest'
import { rowsOf } from './list-rows.ts'

test('each container is followed by its steps, numbered within it', () => {
  const steps = [
    { id: 'a', type: 'agent' },
    {
      id: 'each',
      type: 'for_each',
      steps: [
        { id: 'inner', type: 'for_each', steps: [{ id: 'deep', type: 'agent' }] },
        { id: 'b', type: 'agent', dependencies: ['inner'] },
      ],
    },
  ]
  const rows = rowsOf(steps, { within: null, depth: 0, above: '' })
  expect(rows.map(({ step, number, depth, within }) => `${number} ${step.id} ${depth} ${within}`)).toEqual([
    '1 a 0 null',
    '2 each 0 null',
    '2.1 inner 1 each',
    '2.1.1 deep 2 inner',
    '2.2 b 1 each',
  ])
  expect(rows.at(-1)?.details.arrival).toBe('Runs after inner')
})
