import { expect, test } from 'vitest'
import type { Step } from '../definition/step-types.ts'
import { describeGraph, edgesOf, readGraph } from './graph.ts'

const prompt = (id: string, dependencies: string[] = [], more: Partial<Step> = {}): Step =>
  ({ id, type: 'ai_prompt', prompt: 'x', dependencies, ...more }) as Step

const steps: Step[] = [
  prompt('last', ['left', 'right']),
  prompt('first', [], { output_to_memory: 'text' }),
  prompt('left', ['first']),
  prompt('right', ['first']),
  { id: 'call', type: 'external_api', api: { url: 'https://cms.example:8080/x' } },
]

test('steps are grouped by depth in the graph', () => {
  const shape = describeGraph({ steps })
  expect(shape).toMatchObject({
    totalSteps: 5,
    stepsByType: { ai_prompt: 4, conditional: 0, external_api: 1, data_transform: 0 },
    dependencies: { last: ['left', 'right'], left: ['first'], right: ['first'] },
    hosts: ['cms.example:8080'],
    memoryKeys: ['text'],
    onDemand: [],
  })
  expect(shape.groups.map((group) => [...group].sort())).toEqual([
    ['call', 'first'],
    ['left', 'right'],
    ['last'],
  ])
})

test('the critical path is the path with the longest duration', () => {
  expect(describeGraph({ steps }).criticalPath).toEqual(['first', 'left', 'last'])
  const ms: Record<string, number> = { right: 50, left: 10 }
  expect(describeGraph({ steps }, (id) => ms[id] ?? 1).criticalPath).toEqual(['first', 'right', 'last'])
  expect(describeGraph({ steps }, (id) => (id === 'call' ? 1000 : 1)).criticalPath).toEqual(['call'])
})

test('named models and steps that agents add are listed', () => {
  const routed: Step[] = [
    prompt('route', [], {
      ai_options: { model: 'gpt-4o' },
      agent_routing: true,
      routing_options: { deep: { add_steps: ['research'], continue_to: 'end' } },
    }),
    prompt('research'),
    prompt('end'),
  ]
  expect(describeGraph({ steps: routed })).toMatchObject({
    models: ['gpt-4o'],
    onDemand: ['research'],
    groups: [['route'], ['research'], ['end']],
  })
})

const drawn: readonly Step[] = [
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

test('every edge has its kind and label', () => {
  expect(edgesOf(drawn)).toEqual([
    { from: 'draft', to: 'review', kind: 'chooses', label: 'risky' },
    { from: 'draft', to: 'publish', kind: 'chooses', label: 'risky' },
    { from: 'review', to: 'publish', kind: 'before', label: null },
    { from: 'draft', to: 'publish', kind: 'chooses', label: 'fine' },
    { from: 'draft', to: 'gate', kind: 'needs', label: null },
    { from: 'gate', to: 'publish', kind: 'chooses', label: 'score >= 80' },
    { from: 'gate', to: 'again', kind: 'chooses', label: 'otherwise' },
  ])
})

test('the drawn edges are those of the execution graph', () => {
  const edges = edgesOf(drawn).map(({ from, to }) => `${from} ${to}`)
  const gone = readGraph(drawn).nodes.flatMap(({ id, after }) => [...after].map((from) => `${from} ${id}`))
  expect([...new Set(edges)].sort()).toEqual(gone.sort())
})
