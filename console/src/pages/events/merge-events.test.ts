import { describe, expect, test } from 'vitest'
import { appendOlderEvents, hasOlderEvents, mergeEvents } from './merge-events.ts'

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
const flowing = { type: undefined, limit: 500 }

describe('mergeEvents', () => {
  test('puts new events on top, newest first, and counts them', () => {
    const merged = mergeEvents(page(2, 1), [event(3), event(4)], flowing)
    expect(idsOf(merged)).toEqual([4, 3, 2, 1])
    expect(merged).toMatchObject({ total: 92, last_id: 4 })
  })

  test('leaves out events that are already listed', () => {
    const merged = mergeEvents(page(2, 1), [event(2), event(3)], flowing)
    expect(idsOf(merged)).toEqual([3, 2, 1])
    expect(merged.total).toBe(91)
  })

  test('leaves out events of other types but advances the last id', () => {
    const merged = mergeEvents(page(1), [event(2, 'task.failed')], { ...flowing, type: 'user.login' })
    expect(idsOf(merged)).toEqual([1])
    expect(merged).toMatchObject({ total: 90, last_id: 2 })
  })

  test('drops the oldest events beyond the limit', () => {
    const merged = mergeEvents(page(2, 1), [event(3)], { ...flowing, limit: 2 })
    expect(idsOf(merged)).toEqual([3, 2])
    expect(hasOlderEvents(merged)).toBe(true)
  })
})

describe('appendOlderEvents', () => {
  const listed = { ...page(8, 7), total: 5 }
  const older = (total: number, ...ids: number[]) => ({ ...page(...ids), total })

  test('appends older events, newest first, without those already listed', () => {
    const appended = appendOlderEvents(listed, older(5, 5, 6, 7))
    expect(idsOf(appended)).toEqual([8, 7, 6, 5])
    expect(appended).toMatchObject({ total: 5, last_id: 8 })
    expect(hasOlderEvents(appended)).toBe(true)
  })

  test('detects the beginning of the log by the total, or by an empty page', () => {
    expect(hasOlderEvents(appendOlderEvents(listed, older(5, 4, 5, 6)))).toBe(false)
    expect(appendOlderEvents(listed, older(5))).toMatchObject({ total: 2 })
  })

  test('detects the beginning of the log after the remaining events were deleted', () => {
    expect(hasOlderEvents(appendOlderEvents(listed, older(3, 6)))).toBe(false)
  })
})
