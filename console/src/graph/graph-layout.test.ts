import { expect, test } from 'vitest'
import { joinEdges, layOut } from './graph-layout.ts'

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
