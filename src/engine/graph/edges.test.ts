import { expect, test } from 'vitest'
import type { Step } from '../definition/step-types.ts'
import { edgesOf } from './edges.ts'
import { readGraph } from './graph.ts'

const steps: readonly Step[] = [
  {
    id: 'draft',
    type: 'ai_prompt',
    prompt: 'Write.',
    routing_options: {
      risky: { add_steps: ['review'], continue_to: 'publish' },
      fine: { continue_to: 'publish' },
    },
  },
  { id: 'review', type: 'ai_prompt', prompt: 'Review.' },
  {
    id: 'gate',
    type: 'conditional',
    dependencies: ['draft'],
    conditions: [
      {
        field: 'score',
        operator: '>=',
        value: 80,
        action: { type: 'jump_to_step', target_step: 'publish' },
      },
      { field: 'score', operator: 'exists', action: { type: 'continue' } },
    ],
    default_action: { type: 'continue', next_step: 'again' },
  },
  { id: 'again', type: 'data_transform', transformations: [{ operation: 'merge' }] },
  { id: 'publish', type: 'data_transform', transformations: [{ operation: 'merge' }] },
]

test('every edge says why it is there', () => {
  expect(edgesOf(steps)).toEqual([
    { from: 'draft', to: 'review', kind: 'chooses', label: 'risky' },
    { from: 'draft', to: 'publish', kind: 'chooses', label: 'risky' },
    { from: 'review', to: 'publish', kind: 'before', label: null },
    { from: 'draft', to: 'publish', kind: 'chooses', label: 'fine' },
    { from: 'draft', to: 'gate', kind: 'needs', label: null },
    { from: 'gate', to: 'publish', kind: 'chooses', label: 'score >= 80' },
    { from: 'gate', to: 'again', kind: 'chooses', label: 'otherwise' },
  ])
})

test('they are the edges that executions go by', () => {
  const drawn = edgesOf(steps).map(({ from, to }) => `${from} ${to}`)
  const gone = readGraph(steps).nodes.flatMap(({ id, after }) => [...after].map((from) => `${from} ${id}`))
  expect([...new Set(drawn)].sort()).toEqual(gone.sort())
})
