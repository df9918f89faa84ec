import { expect, test } from 'vitest'
import { edgesOf } from '../document/edges.ts'
import type { DraftStep } from '../document/flow-document.ts'
import type { TriedStep } from '../try/try-run.ts'
import { drawNodes, type StepNodeType } from './draw-nodes.ts'
import { readDrawnId } from './drawn-id.ts'

const steps: readonly DraftStep[] = [
  {
    id: 'decide',
    label: 'Good enough?',
    type: 'conditional',
    conditions: [
      { field: 'score', operator: '<', value: 1, action: { type: 'continue', next_step: 'left' } },
      { field: 'score', operator: '<', value: 2, action: { type: 'continue', next_step: 'left' } },
    ],
    default_action: { type: 'continue', next_step: 'right' },
  },
  { id: 'left', type: 'ai_prompt' },
  { id: 'right', type: 'ai_prompt', dependencies: ['left', 'left'] },
]
const edges = edgesOf(steps)

const tried: TriedStep = {
  state: 'failed',
  label: 'left',
  output: null,
  made: undefined,
  cost: null,
  durationMs: null,
  error: null,
  skippedBecause: null,
  inside: null,
}

function draw(selected: readonly string[] = [], drawn = new WeakMap<DraftStep, StepNodeType>()) {
  return drawNodes({
    steps,
    edges,
    places: new Map([
      ['decide', { x: 0, y: 0 }],
      ['left', { x: -200, y: 200 }],
      ['right', { x: 200, y: 200 }],
    ]),
    selected,
    dormant: new Set(['left']),
    problems: new Map([['decide', { errors: 2, warnings: 1 }]]),
    tried: new Map([['left', tried]]),
    drawn,
  })
}

test('a branch leaves on the side of its target', () => {
  const [decide] = draw()
  expect(decide?.data.branches.map(({ side }) => side)).toEqual(['left', 'left', 'right'])
  expect(decide?.handles?.map(({ id, position }) => [readDrawnId(id ?? ''), position])).toEqual([
    ['before', 'top'],
    ['after', 'bottom'],
    ['["conditions",0]', 'left'],
    ['["conditions",1]', 'left'],
    ['["default_action"]', 'right'],
    ['["on_error"]', 'right'],
  ])
})

test('a node has all visible data of its step', () => {
  expect(draw(['decide']).map(({ ariaLabel }) => ariaLabel)).toEqual([
    'Good enough?, Condition, 2 errors, 1 warning, selected',
    'left, Prompt, only when added, Failed',
    'right, Prompt',
  ])
})

test('an unchanged step keeps its node object', () => {
  const drawn = new WeakMap<DraftStep, StepNodeType>()
  const before = draw([], drawn)
  const after = draw(['left'], drawn)
  expect(after.map((node, index) => node === before[index])).toEqual([true, false, true])
})
