import { describe, expect, test } from 'vitest'
import { grid, sizeOf } from './node-shape.ts'
import { arrange } from './use-drawing.ts'

const small = { width: 224, height: 56 }
const tall = { width: 224, height: 200 }
const line = (from: string, to: string) => ({ from, to })
const nowhere = new Map<string, { x: number; y: number }>()

describe('steps without a manual position', () => {
  test('are laid out below each other, with space for tall ones', () => {
    const places = arrange(
      [
        { id: 'a', size: tall },
        { id: 'b', size: small },
      ],
      [line('a', 'b')],
      nowhere,
    )
    const [a, b] = [places.get('a'), places.get('b')]
    expect((b?.y ?? 0) - (a?.y ?? 0)).toBeGreaterThan(tall.height + 40)
    for (const place of places.values()) expect([place.x % grid, place.y % grid]).toEqual([0, 0])
  })

  test('are sized by their branches', () => {
    const plain = sizeOf({ id: 'a', type: 'ai_prompt' })
    const deciding = sizeOf({ id: 'a', type: 'conditional', conditions: [{}, {}] })
    expect(deciding.height).toBe(plain.height + 3 * 24)
  })
})

describe('steps with a manual position', () => {
  const steps = ['a', 'b', 'c'].map((id) => ({ id, size: small }))
  const lines = [line('a', 'b'), line('b', 'c')]

  test('keep it, whatever else is in the flow', () => {
    const kept = new Map([
      ['a', { x: 1001, y: -37 }],
      ['gone', { x: 0, y: 0 }],
    ])
    const places = arrange(steps, lines, kept)
    expect(places.get('a')).toEqual({ x: 1001, y: -37 })
    expect([...places.keys()].sort()).toEqual(['a', 'b', 'c'])
  })

  test('have their successors below them, as a fresh layout would', () => {
    const places = arrange(steps, lines, new Map([['a', { x: 2000, y: 800 }]]))
    expect(places.get('b')).toEqual({ x: 2000, y: 928 })
    expect(places.get('c')).toEqual({ x: 2000, y: 1056 })
  })

  test('are never overlapped by others', () => {
    const kept = new Map([
      ['a', { x: 0, y: 0 }],
      // The position a fresh layout gives b.
      ['c', { x: 3, y: 120 }],
    ])
    const places = arrange(steps, [line('a', 'b')], kept)
    expect(places.get('b')?.x).toBeGreaterThanOrEqual(3 + small.width + 24)
  })
})

test('five hundred steps are arranged around fixed ones in bounded time', () => {
  const steps = Array.from({ length: 500 }, (_, index) => ({ id: `s${index}`, size: small }))
  const lines = steps.slice(1).map(({ id }, index) => line(`s${Math.floor(index / 2)}`, id))
  const places = arrange(steps, lines, new Map([['s7', { x: 5, y: 5 }]]))
  expect(places.size).toBe(500)
})
