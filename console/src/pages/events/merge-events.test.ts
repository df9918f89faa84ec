import { describe, expect, it } from 'vitest'
import { mergeEvents } from './merge-events.ts'

const event = (id: number, type = 'user.login') => ({
  id,
  type,
  subject: null,
  account: null,
  data: {},
  created_at: '2026-03-01T12:00:00Z',
})
const page = (...ids: number[]) => ({
  data: ids.map((id) => event(id)),
  total: 90,
  last_id: Math.max(...ids),
  truncated: false,
})
const idsOf = ({ data }: { data: Array<{ id: number }> }) => data.map(({ id }) => id)
const flowing = { type: undefined, held: false }

describe('mergeEvents', () => {
  it('puts arrivals on top, newest first, and counts them', () => {
    const merged = mergeEvents(page(2, 1), [event(3), event(4)], flowing)
    expect(idsOf(merged)).toEqual([4, 3, 2, 1])
    expect(merged).toMatchObject({ total: 92, last_id: 4 })
  })

  it('leaves out what is already there', () => {
    const merged = mergeEvents(page(2, 1), [event(2), event(3)], flowing)
    expect(idsOf(merged)).toEqual([3, 2, 1])
    expect(merged.total).toBe(91)
  })

  it('leaves out other types but carries on behind them', () => {
    const merged = mergeEvents(page(1), [event(2, 'task.failed')], { type: 'user.login', held: false })
    expect(idsOf(merged)).toEqual([1])
    expect(merged).toMatchObject({ total: 90, last_id: 2 })
  })

  it('keeps the newest 500 while it flows, and everything shown while it is held', () => {
    const arrivals = Array.from({ length: 600 }, (_, index) => event(index + 10))
    expect(mergeEvents(page(1), arrivals, flowing).data).toHaveLength(500)
    expect(idsOf(mergeEvents(page(1), arrivals, { type: undefined, held: true })).at(-1)).toBe(1)
  })
})
