import { describe, expect, test } from 'vitest'
import { chooseByPrefix, findHome } from './rendezvous.ts'
import type { Candidate } from './strategies.ts'

const node = (id: string, active = 0, weight = 1): Candidate => ({
  id,
  weight,
  load: { active, expectedWait: { of: () => undefined } },
})
const keys = Array.from({ length: 4000 }, (_unused, index) => `key ${index}`)

function shares(nodes: readonly Candidate[], choose: typeof findHome): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const key of keys) {
    const chosen = choose(nodes, key)?.id ?? ''
    counts[chosen] = (counts[chosen] ?? 0) + 1
  }
  return counts
}

describe.each([
  ['a session', findHome],
  ['a prefix', chooseByPrefix],
] as const)('the node of %s', (_of, choose) => {
  test('is chosen in proportion to the weights', () => {
    const { a = 0, b = 0, c = 0 } = shares([node('a', 0, 1), node('b', 0, 2), node('c', 0, 5)], choose)
    expect(a / keys.length).toBeCloseTo(1 / 8, 1)
    expect(b / keys.length).toBeCloseTo(2 / 8, 1)
    expect(c / keys.length).toBeCloseTo(5 / 8, 1)
    expect(c).toBeGreaterThan(2 * b)
  })

  test('stays the same when another leaves, and with a higher weight only gains keys', () => {
    const nodes = [node('a'), node('b'), node('c')]
    for (const key of keys.slice(0, 300)) {
      const before = choose(nodes, key)?.id
      if (before !== 'c') expect(choose(nodes.slice(0, 2), key)?.id).toBe(before)
      const after = choose([node('a', 0, 3), node('b'), node('c')], key)?.id
      expect([before, 'a']).toContain(after)
    }
  })
})

const order = (loads: readonly number[]) => loads.map((active, index) => node(`n${index}`, active))

describe('a prefix', () => {
  const key = 'the same start'

  test('goes to its node until that has more than its bound, then always to the same other', () => {
    const home = chooseByPrefix(order([0, 0, 0]), key)?.id ?? ''
    const busy = (active: number) => order([0, 0, 0]).map(({ id }) => node(id, id === home ? active : 0))
    expect(chooseByPrefix(busy(3), key)?.id).toBe(home)
    const others = Array.from({ length: 5 }, () => chooseByPrefix(busy(4), key)?.id)
    expect(new Set(others).size).toBe(1)
    expect(others[0]).not.toBe(home)
  })

  test('may have a quarter more than the average', () => {
    const home = chooseByPrefix(order([0, 0]), key)
    const loads = (own: number, other: number) =>
      order([0, 0]).map(({ id }) => node(id, id === home?.id ? own : other))
    // The average with the new request is 40.5, so the bound is 51.
    expect(chooseByPrefix(loads(50, 30), key)?.id).toBe(home?.id)
    expect(chooseByPrefix(loads(51, 29), key)?.id).not.toBe(home?.id)
  })

  test('always finds a node', () => {
    for (const loads of [[9], [100, 100], [1000, 0, 0], [5, 5, 5, 5]])
      expect(chooseByPrefix(order(loads), key)).toBeDefined()
  })
})
