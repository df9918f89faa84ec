import { describe, expect, test } from 'vitest'
import { findHome } from './balancer.ts'
import type { Candidate } from './strategies.ts'

const node = (id: string, active = 0): Candidate => ({
  id,
  weight: 1,
  load: { active, expectedWait: { of: () => undefined } },
})
const sessions = Array.from({ length: 300 }, (_unused, index) => `session ${index}`)

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
