import { describe, expect, test } from 'vitest'
import { spillOver } from './balancer.ts'
import { findHome } from './rendezvous.ts'
import type { Candidate } from './strategies.ts'

const node = (id: string, active = 0, weight = 1): Candidate => ({
  id,
  weight,
  load: { active, expectedWait: { of: () => undefined } },
})
const sessions = Array.from({ length: 300 }, (_unused, index) => `session ${index}`)

const among = (loaded: readonly Candidate[], others: readonly Candidate[]) =>
  spillOver(loaded, [...loaded, ...others], 8).map(({ id }) => id)

describe('requests for a model in memory', () => {
  test.each<[string, Candidate[], Candidate[], string[]]>([
    ['stay on its nodes below the limit', [node('a', 7), node('b', 8)], [node('c')], ['a']],
    ['spill over to other nodes at the limit', [node('a', 8)], [node('b', 7), node('c', 8)], ['b']],
    ['go to any node when all are at the limit', [node('a', 9)], [node('b', 8)], ['a', 'b']],
    ['fill a heavy node in proportion to its weight', [node('a', 23, 3)], [node('b')], ['a']],
    ['spill over from a heavy node as well', [node('a', 24, 3)], [node('b')], ['b']],
  ])('%s', (_what, loaded, others, expected) => {
    expect(among(loaded, others)).toEqual(expected)
  })
})

describe('the home node of a session', () => {
  test('does not depend on the order of the nodes', () => {
    const nodes = ['a', 'b', 'c'].map((id) => node(id))
    for (const session of sessions) {
      expect(findHome(nodes, session)?.id).toBe(findHome(nodes.toReversed(), session)?.id)
    }
  })

  test('is spread over all nodes', () => {
    const nodes = ['a', 'b', 'c'].map((id) => node(id))
    const homes = sessions.map((session) => findHome(nodes, session)?.id)
    for (const { id } of nodes) expect(homes.filter((home) => home === id).length).toBeGreaterThan(60)
  })

  test('moves only when its node is removed', () => {
    const all = ['a', 'b', 'c'].map((id) => node(id))
    const left = all.filter(({ id }) => id !== 'b')
    for (const session of sessions) {
      const before = findHome(all, session)?.id
      if (before !== 'b') expect(findHome(left, session)?.id).toBe(before)
    }
  })

  test('is not used while it is much busier than the other nodes', () => {
    const session = 'session 1'
    const home = findHome([node('a'), node('b')], session)?.id ?? ''
    const busy = ['a', 'b'].map((id) => node(id, id === home ? 30 : 2))
    expect(findHome(busy, session)).toBeUndefined()
    const even = ['a', 'b'].map((id) => node(id, 30))
    expect(findHome(even, session)?.id).toBe(home)
  })

  test('is undefined without nodes', () => {
    expect(findHome([], 'session')).toBeUndefined()
  })
})
