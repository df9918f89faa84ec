import { expect, test } from 'vitest'
import { type DraftEdge, edgesOf } from '../document/edges.ts'
import { placeSteps } from '../document/edits.ts'
import {
  type DraftStep,
  emptyDocument,
  type FlowDocument,
  placesIn,
  stepIn,
} from '../document/flow-document.ts'
import { insertStep } from './use-adding.ts'

const added: DraftStep = { id: 'new', type: 'data_transform' }

function flowOf(...steps: readonly DraftStep[]): FlowDocument {
  return { ...emptyDocument, definition: { ...emptyDocument.definition, steps } }
}

function edgeOf(flow: FlowDocument, from: string, to: string): DraftEdge {
  const edge = edgesOf(flow.definition.steps).find((it) => it.from === from && it.to === to)
  if (edge === undefined) throw new Error('no such line')
  return edge
}

const linesOf = (flow: FlowDocument) =>
  edgesOf(flow.definition.steps).map(({ from, to, label }) => [from, to, label])

test('a step on the edge of a dependency is inserted between both steps', () => {
  const flow = flowOf(
    { id: 'a', type: 'ai_prompt' },
    { id: 'b', type: 'ai_prompt', dependencies: ['x', 'a'] },
    { id: 'x', type: 'ai_prompt' },
  )
  const changed = insertStep(flow, edgeOf(flow, 'a', 'b'), added, new Map())
  expect(linesOf(changed)).toEqual([
    ['x', 'b', null],
    ['new', 'b', null],
    ['a', 'new', null],
  ])
  expect(placesIn(changed).size).toBe(0)
})

test('a step on the edge of a branch becomes its target, and the previous target follows', () => {
  const flow = flowOf(
    { id: 'decide', type: 'conditional', default_action: { type: 'continue', next_step: 'b' } },
    { id: 'b', type: 'ai_prompt' },
  )
  const changed = insertStep(flow, edgeOf(flow, 'decide', 'b'), added, new Map())
  expect(linesOf(changed)).toEqual([
    ['decide', 'new', 'otherwise'],
    ['new', 'b', null],
  ])
})

test('an implied edge takes no step', () => {
  const flow = flowOf(
    { id: 'r', type: 'ai_prompt', routing_options: { x: { add_steps: ['a'], continue_to: 'b' } } },
    { id: 'a', type: 'ai_prompt' },
    { id: 'b', type: 'ai_prompt' },
  )
  expect(insertStep(flow, edgeOf(flow, 'a', 'b'), added, new Map())).toBe(flow)
})

test('with manual positions, all following steps move down', () => {
  const steps: readonly DraftStep[] = [
    { id: 'a', type: 'ai_prompt' },
    { id: 'b', type: 'ai_prompt', dependencies: ['a'] },
    { id: 'c', type: 'ai_prompt', dependencies: ['b'] },
    { id: 'aside', type: 'ai_prompt' },
  ]
  const drawn = new Map([
    ['a', { x: 0, y: 0 }],
    ['b', { x: 40, y: 120 }],
    ['c', { x: 40, y: 240 }],
    ['aside', { x: 400, y: 240 }],
  ])
  const flow = placeSteps(flowOf(...steps), drawn)
  const places = placesIn(insertStep(flow, edgeOf(flow, 'a', 'b'), added, drawn))
  expect(places.get('new')).toEqual({ x: 40, y: 104 })
  expect(places.get('b')).toEqual({ x: 40, y: 208 })
  expect(places.get('c')).toEqual({ x: 40, y: 328 })
  expect(places.get('aside')).toEqual({ x: 400, y: 240 })
  const roomy = placeSteps(flow, new Map([['b', { x: 40, y: 900 }]]))
  const inserted = insertStep(roomy, edgeOf(roomy, 'a', 'b'), added, placesIn(roomy))
  expect(placesIn(inserted).get('b')).toEqual({ x: 40, y: 900 })
  expect(stepIn(inserted, 'new')).toMatchObject(added)
})
