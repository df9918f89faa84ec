import { expect, test } from 'vitest'
import { wouldCircle } from '../document/edits.ts'
import type { DraftStep } from '../document/flow-document.ts'
import { stepsAfter } from './step-actions.ts'

const steps: readonly DraftStep[] = [
  { id: 'a', type: 'ai_prompt', routing_options: { x: { add_steps: ['e'], continue_to: 'd' } } },
  { id: 'b', type: 'data_transform', dependencies: ['a', 'missing'] },
  { id: 'c', type: 'data_transform', dependencies: ['b'] },
  { id: 'd', type: 'data_transform' },
  { id: 'e', type: 'data_transform' },
]

test('a step must not depend on its successors', () => {
  expect([...stepsAfter(steps, 'b')]).toEqual(['b', 'c'])
  expect([...stepsAfter(steps, 'e')]).toEqual(['e', 'd'])
})

test('agrees with the connections that are refused', () => {
  const document = { definition: { id: '', label: '', steps }, metadata: {} }
  for (const { id: to } of steps) {
    const after = stepsAfter(steps, to)
    for (const { id: from } of steps) expect(after.has(from)).toBe(wouldCircle(document, from, to))
  }
})

test('a flow with a cycle is traversed once', () => {
  const circle = ['a', 'b'].map((id) => ({ id, type: 'x', dependencies: [id === 'a' ? 'b' : 'a'] }))
  expect([...stepsAfter(circle, 'a')]).toEqual(['a', 'b'])
})
