import { describe, expect, test } from 'vitest'
import type { StoredEvent } from './event.ts'
import { createEventRing } from './event-ring.ts'

const sized = (id: number, bytes = 10, subject: string | null = null) => ({
  event: {
    id,
    type: 'thing.done',
    subject,
    account: null,
    data: {},
    createdAt: new Date(0),
  } satisfies StoredEvent,
  bytes,
})
const idsAfter = (ring: ReturnType<typeof createEventRing>, cursor: number, limit = 100) =>
  ring.after(cursor, {}, limit).events.map((event) => event.id)

describe('the event ring', () => {
  test('contains every event after its floor', () => {
    const ring = createEventRing(7, { maxEvents: 10, maxBytes: 1000 })
    expect(ring.floor).toBe(7)
    ring.push([sized(8), sized(9), sized(10)])
    expect(idsAfter(ring, 7)).toEqual([8, 9, 10])
    expect(idsAfter(ring, 9)).toEqual([10])
    expect(ring.after(10, {}, 5)).toEqual({ events: [], upTo: 10 })
  })

  test('raises its floor beyond the maximum number of events', () => {
    const ring = createEventRing(0, { maxEvents: 3, maxBytes: 1000 })
    for (let id = 1; id <= 20; id++) ring.push([sized(id)])
    expect(ring.floor).toBe(17)
    expect(ring.position).toBe(20)
    expect(idsAfter(ring, 17)).toEqual([18, 19, 20])
  })

  test('raises its floor beyond the maximum of bytes, up to the last event', () => {
    const ring = createEventRing(0, { maxEvents: 100, maxBytes: 25 })
    ring.push([sized(1), sized(2), sized(3)])
    expect(ring.floor).toBe(1)
    ring.push([sized(4, 500)])
    expect(ring.floor).toBe(4)
    expect(idsAfter(ring, 4)).toEqual([])
  })

  test('reports the end of a filtered slice', () => {
    const ring = createEventRing(0, { maxEvents: 100, maxBytes: 1000 })
    ring.push([sized(1, 1, 'a'), sized(2, 1, 'b'), sized(3, 1, 'a'), sized(4, 1, 'b')])
    expect(ring.after(0, { subject: 'a' }, 1)).toMatchObject({ events: [{ id: 1 }], upTo: 1 })
    expect(ring.after(1, { subject: 'a' }, 5)).toMatchObject({ events: [{ id: 3 }], upTo: 4 })
  })
})
