import { expect, test } from 'vitest'
import { drawRoute, joinEdges, layOut, layOutWithRoutes, nodeSize } from './graph-layout.ts'

const steps = ['a', 'b', 'c'].map((step_id) => ({ step_id }))

test('a step is placed below the step it follows', () => {
  const places = layOut(steps, [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
  ])
  const heights = ['a', 'b', 'c'].map((id) => places.get(id)?.y ?? 0)
  expect(heights).toEqual([...heights].sort((left, right) => left - right))
  expect(new Set(heights).size).toBe(3)
})

test('parallel steps are placed side by side', () => {
  const places = layOut(steps, [
    { from: 'a', to: 'b' },
    { from: 'a', to: 'c' },
  ])
  expect(places.get('b')?.y).toBe(places.get('c')?.y)
  expect(places.get('b')?.x).not.toBe(places.get('c')?.x)
})

test('an edge that passes a row leads around its steps', () => {
  const { places, routes } = layOutWithRoutes(steps, [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
    { from: 'a', to: 'c' },
  ])
  const passed = places.get('b') ?? { x: 0, y: 0 }
  const beside = (routes.get('a c') ?? []).filter(({ y }) => y > passed.y && y < passed.y + nodeSize.height)
  expect(beside).not.toEqual([])
  for (const { x } of beside) expect(x < passed.x || x > passed.x + nodeSize.width).toBe(true)
  expect(routes.get('a b')).toEqual([])
})

test('a route is a curve through all its points, with its label near the next step, or where a long one leaves the first row', () => {
  const points = [0, 60, 120].map((y) => ({ x: y / 2, y }))
  expect(drawRoute(points)).toEqual({
    path: 'M0,0 C0,30 30,30 30,60 C30,90 60,90 60,120',
    label: { x: 30, y: 60 },
  })
  expect(drawRoute(points.slice(0, 2)).label).toEqual({ x: 25.2, y: 42 })
})

test('a long label is shortened', () => {
  const [edge] = joinEdges([{ from: 'a', to: 'b', kind: 'chooses', label: 'x'.repeat(50), taken: null }])
  expect(edge?.label).toBe(`${'x'.repeat(31)}…`)
})

test('edges between the same steps become one with all their labels', () => {
  const joined = joinEdges([
    { from: 'a', to: 'b', kind: 'chooses', label: 'risky', taken: false },
    { from: 'a', to: 'b', kind: 'chooses', label: 'fine', taken: true },
    { from: 'a', to: 'c', kind: 'chooses', label: 'odd', taken: false },
    { from: 'b', to: 'c', kind: 'before', label: null, taken: null },
  ])
  expect(joined.map(({ id, label, taken }) => [id, label, taken])).toEqual([
    ['a b', 'risky or fine', true],
    ['a c', 'odd', false],
    ['b c', '', null],
  ])
})
