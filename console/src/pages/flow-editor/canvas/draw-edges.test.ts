import { expect, test } from 'vitest'
import { edgesOf } from '../document/edges.ts'
import { drawEdges, pointAsLowAs } from './draw-edges.ts'

const edges = edgesOf([
  {
    id: 'decide',
    type: 'conditional',
    conditions: [
      { field: 'score', operator: '<', value: 1, action: { type: 'continue', next_step: 'left' } },
      { field: 'score', operator: '<', value: 2, action: { type: 'continue', next_step: 'left' } },
    ],
    default_action: { type: 'continue', next_step: 'right' },
  },
  { id: 'left', type: 'ai_prompt' },
  { id: 'right', type: 'ai_prompt', dependencies: ['left', 'left'] },
])

test('every edge has a unique ID, and edges between the same steps share one label', () => {
  const lines = drawEdges(edges, { selected: new Set(), nameOfStep: (id) => id })
  expect(new Set(lines.map(({ id }) => id)).size).toBe(edges.length)
  expect(lines.map(({ label }) => label)).toEqual([
    'score < 1 or score < 2',
    undefined,
    'otherwise',
    undefined,
    undefined,
  ])
  expect(lines[0]?.ariaLabel).toBe('From decide to left, when score < 1')
})

test('an implied edge cannot be selected', () => {
  const [line] = drawEdges([{ from: 'left', to: 'right', kind: 'before', label: null, said: null }], {
    selected: new Set(),
    nameOfStep: (id) => id,
  })
  expect([line?.selectable, line?.focusable]).toEqual([false, false])
})

const path = 'M-10,0 C-10,40 90.5,60 90.5,1e2'

test('the label point of a curve is its first point at the given height', () => {
  const point = pointAsLowAs(path, 50)
  expect(point.y).toBeGreaterThanOrEqual(50)
  expect(point.y).toBeLessThan(60)
  expect(point.x).toBeGreaterThan(30)
  expect(point.x).toBeLessThan(60)
})

test('a curve that never reaches the height has its label in the middle', () => {
  expect(pointAsLowAs(path, 1000)).toEqual({ x: 40.25, y: 50 })
})
