import { expect, test } from 'vitest'
import { type FlowDocument, placesIn } from '../document/flow-document.ts'
import { duplicateSteps } from '../list/step-actions.ts'

const document: FlowDocument = {
  definition: {
    id: 'flow',
    label: 'Flow',
    steps: [
      { id: 'a', type: 'x' },
      { id: 'b', type: 'x', dependencies: ['a'] },
      { id: 'c', type: 'x', dependencies: ['b'] },
      { id: 'd', type: 'x' },
    ],
  },
  metadata: { layout: { b: { x: 0, y: 0 } } },
}

test('copies are inserted after the last copied step, and refer to each other', () => {
  const { document: changed, copies } = duplicateSteps(document, ['c', 'b'])
  expect(copies).toEqual(['b_2', 'c_2'])
  expect(changed.definition.steps.map(({ id, dependencies }) => [id, dependencies])).toEqual([
    ['a', undefined],
    ['b', ['a']],
    ['c', ['b']],
    ['b_2', ['a']],
    ['c_2', ['b_2']],
    ['d', undefined],
  ])
  expect(placesIn(changed).get('b_2')).toEqual({ x: 32, y: 32 })
})
