import { describe, expect, test } from 'vitest'
import { createLogDatabase, idsOf, openEvents, range, take } from './events-setting.ts'

const never = new AbortController().signal
const yesterday = () => new Date(Date.now() - 24 * 60 * 60 * 1000)

describe('pruning events', () => {
  test('removes older events in several steps and reports earlier cursors', async () => {
    await using database = await createLogDatabase()
    await using events = openEvents(database)
    for (let n = 0; n < 13; n++) await events.append(range(1, 1000).map(() => ({ type: 'many.of' })))
    await database.query(`update kernel_events set created_at = now() - interval '2 days' where id <= 12000`)
    expect(await events.oldestId()).toBe(1)

    expect(await events.prune({ olderThan: yesterday() })).toBe(12_000)
    expect(await events.prune({ olderThan: yesterday() })).toBe(0)
    expect(await events.oldestId()).toBe(12_001)
    expect(await events.lastId()).toBe(13_000)
    expect(await events.count()).toBe(1000)

    expect(await events.read({ after: 11_999, limit: 1 })).toMatchObject({
      truncated: true,
      events: [{ id: 12_001 }],
    })
    expect(await events.read({ after: 12_000, limit: 1 })).toMatchObject({ truncated: false })
    expect(await events.read({ after: 0, limit: 1 })).toMatchObject({
      truncated: false,
      events: [{ id: 12_001 }],
    })

    await expect(take(events.follow({ after: 5, signal: never }), 1)).rejects.toMatchObject({
      code: 'cursor_out_of_range',
      details: { oldest: 12_001, last: 13_000 },
    })
    expect(idsOf(await take(events.follow({ after: 0, signal: never }), 2))).toEqual([12_001, 12_002])
    expect(idsOf(await take(events.follow({ after: 12_000, signal: never }), 1))).toEqual([12_001])
  })

  test('continues its ids after everything was removed', async () => {
    await using database = await createLogDatabase()
    await using events = openEvents(database)
    await events.append([{ type: 'one.thing' }, { type: 'one.thing' }])
    await database.query(`update kernel_events set created_at = now() - interval '2 days'`)
    expect(await events.prune({ olderThan: yesterday() })).toBe(2)
    expect(await events.oldestId()).toBe(3)
    expect(await events.count()).toBe(0)
    const following = take(events.follow({ after: 2, signal: never }), 1)
    expect(await events.append({ type: 'one.more' })).toEqual([3])
    expect(idsOf(await following)).toEqual([3])
  })

  test('refuses a cursor of another log', async () => {
    await using database = await createLogDatabase()
    await using events = openEvents(database)
    await events.append({ type: 'one.thing' })
    await expect(take(events.follow({ after: 900, signal: never }), 1)).rejects.toMatchObject({
      code: 'cursor_out_of_range',
      details: { oldest: 1, last: 1 },
    })
  })
})
