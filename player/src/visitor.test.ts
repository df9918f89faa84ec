import { describe, expect, test, vi } from 'vitest'
import type { PlayableTour } from './protocol.ts'
import type { TourRecord, TourStorage } from './tour-storage.ts'
import { createVisitor, type Identity, isMet } from './visitor.ts'

function memory(records: Record<string, TourRecord> = {}): TourStorage {
  const stored = new Map(Object.entries(records))
  return {
    of: (tour) => stored.get(tour),
    store: (tour, record) => void stored.set(tour, record),
    play: () => undefined,
    storePlay: () => undefined,
  }
}

const none = { conditions: [], starts_at: null, ends_at: null, frequency: 'once', days: null } as const
const tour = (targeting: Partial<PlayableTour['targeting']> = {}): PlayableTour => ({
  id: 'tour',
  label: 'Tour',
  launch: 'auto',
  routes: [],
  tips: [],
  targeting: { ...none, ...targeting },
})

function open(
  storage: TourStorage,
  initial: Identity = {},
  visits: { tour: string; ended_at: string }[] = [],
) {
  const sendVisit = vi.fn<(user: string, tour: string, state: string) => void>()
  const platform = {
    visits: async () => visits.map((visit) => ({ ...visit, state: 'completed' as const })),
    sendVisit,
  }
  const visitor = createVisitor({ storage, platform, initial, isAwaited: false, onChange: () => undefined })
  return { visitor, sendVisit }
}

describe('a condition', () => {
  const condition = { attribute: 'role', operator: 'is', values: ['Admin', 'editor'] } as const
  test.each<[Identity['attributes'], boolean]>([
    [{ role: 'admin' }, true],
    [{ Role: ['author', ' EDITOR '] }, true],
    [{ role: 'author' }, false],
    [{ plan: 'admin' }, false],
    [{}, false],
  ])('with %j', (attributes = {}, expected) => {
    expect(isMet(condition, attributes)).toBe(expected)
    expect(isMet({ ...condition, operator: 'is_not' }, attributes)).toBe(!expected)
  })

  test('compares numbers and booleans as text', () => {
    expect(isMet({ attribute: 'beta', operator: 'is', values: ['true'] }, { beta: true })).toBe(true)
    expect(isMet({ attribute: 'level', operator: 'is', values: ['3'] }, { level: 3 })).toBe(true)
  })
})

const ended = (daysAgo: number) =>
  memory({
    tour: { state: 'completed', at: new Date(Date.now() - daysAgo * 86_400_000).toISOString() },
  })

describe('how often', () => {
  test.each([
    ['once', {}, 400, false],
    ['always', { frequency: 'always' }, 0, true],
    ['every 7 days, after 6', { frequency: 'days', days: 7 }, 6, false],
    ['every 7 days, after 8', { frequency: 'days', days: 7 }, 8, true],
  ] as const)('%s', (_name, targeting, daysAgo, expected) => {
    expect(open(ended(daysAgo)).visitor.mayGet(tour(targeting))).toBe(expected)
  })

  test('a tour that was interrupted may go on', () => {
    const storage = memory({ tour: { state: 'under_way', at: new Date().toISOString() } })
    expect(open(storage).visitor.mayGet(tour())).toBe(true)
  })
})

describe('a user that the page names', () => {
  test('gets a tour once, although it ended on another device', async () => {
    const { visitor } = open(memory(), { user: '7' }, [{ tour: 'tour', ended_at: new Date().toISOString() }])
    await visitor.ready()
    expect(visitor.mayGet(tour())).toBe(false)
    visitor.identify({ user: '8' })
    expect(visitor.mayGet(tour())).toBe(true)
  })

  test('is not stored in the browser, and the end of a tour is sent', () => {
    const storage = memory()
    const store = vi.spyOn(storage, 'store')
    const { visitor, sendVisit } = open(storage, { user: 'ann@example.com' })
    visitor.store('tour', { state: 'under_way', at: '2031-01-01T00:00:00Z' })
    expect(sendVisit).not.toHaveBeenCalled()
    visitor.store('tour', { state: 'dismissed', at: '2031-01-01T00:00:00Z' })
    expect(sendVisit).toHaveBeenCalledWith('ann@example.com', 'tour', 'dismissed')
    for (const [key] of store.mock.calls) expect(key).not.toContain('ann')
    expect(visitor.of('tour')?.state).toBe('dismissed')
    visitor.identify({})
    expect(visitor.of('tour')).toBeUndefined()
  })
})
