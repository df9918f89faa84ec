import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { isDatabaseUnavailable } from '#kernel/database'
import { patience } from '../support/patience.ts'
import { connectAgain, createLogDatabase, idsOf, openEvents, range } from './events-setting.ts'
import { openSeverableLink } from './events-severable-link.ts'

describe('appending events', () => {
  test('assigns ids in commit order, so that a reader who remembers the last one misses nothing', async () => {
    await using database = await createLogDatabase()
    await using other = await connectAgain(database.url)
    await using events = openEvents(database)
    await using otherEvents = openEvents(other)
    let expected = 0

    async function appendMany(log: typeof events): Promise<void> {
      for (let round = 0; round < 60; round++) {
        const batch = range(1, 1 + (round % 3)).map((n) => ({ type: 'load.direct', data: { n } }))
        expected += batch.length
        await log.append(batch)
      }
    }

    async function appendInTransactions(log: typeof events, pool: typeof other): Promise<void> {
      for (let round = 0; round < 15; round++) {
        const rollBack = round % 5 === 4
        if (!rollBack) expected += 2
        await pool
          .transaction(async (transaction) => {
            await sql`select pg_sleep(${Math.random() * 0.01})`.execute(transaction)
            await log.appendWithin(transaction, [{ type: 'load.first' }, { type: 'load.second' }])
            await delay(Math.random() * 4)
            if (rollBack) throw new Error('rolled back')
          })
          .catch((error: Error) => expect(error.message).toBe('rolled back'))
      }
    }

    const appenders = [events, otherEvents].flatMap((log, index) => [
      ...range(1, 6).map(() => appendMany(log)),
      ...range(1, 3).map(() => appendInTransactions(log, index === 0 ? database : other)),
    ])
    let done = false
    const allDone = Promise.all(appenders).finally(() => {
      done = true
    })

    const seen: number[] = []
    for (let lastLook = false; !lastLook; ) {
      lastLook = done
      const { events: page } = await events.read({ after: seen.at(-1) ?? 0, limit: 50 })
      seen.push(...idsOf(page))
      if (page.length === 50) lastLook = false
    }
    await allDone
    expect(expected).toBeGreaterThan(1000)
    expect(seen).toEqual(range(1, expected))
    expect(await events.lastId()).toBe(expected)
    expect(await events.count()).toBe(expected)

    const [disorder] = await database.query<{ count: number }>(`
      select count(*) from kernel_events as earlier join kernel_events as later on later.id = earlier.id + 1
      where later.created_at < earlier.created_at
    `)
    expect(disorder?.count).toBe(0)
  })

  test('keeps the events of one call together and returns their ids in order', async () => {
    await using database = await createLogDatabase()
    await using events = openEvents(database)
    const calls = await Promise.all(
      range(1, 50).map((call) =>
        events.append([1, 2, 3].map((n) => ({ type: 'call.part', data: { call, n } }))),
      ),
    )
    const { events: stored } = await events.read({ after: 0, limit: 1000 })
    for (const [index, ids] of calls.entries()) {
      expect(ids).toEqual(range(ids[0] ?? 0, (ids[0] ?? 0) + 2))
      expect(ids.map((id) => stored[id - 1]?.data)).toEqual([1, 2, 3].map((n) => ({ call: index + 1, n })))
    }
    expect(await events.append([])).toEqual([])
  })

  test('fails only the event that PostgreSQL refuses, not those of the same flush', async () => {
    await using database = await createLogDatabase()
    await database.query(`alter table kernel_events add check (type <> 'not.this')`)
    await using events = openEvents(database)
    const outcomes = await Promise.allSettled(
      ['good.one', 'not.this', 'good.two'].map((type) => events.append({ type })),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const { events: stored } = await events.read({ after: 0, limit: 10 })
    expect(stored.map((event) => [event.id, event.type])).toEqual([
      [1, 'good.one'],
      [2, 'good.two'],
    ])
  })

  test('stores many large events of one batch', async () => {
    await using database = await createLogDatabase()
    await using events = openEvents(database)
    const text = 'x'.repeat(250_000)
    const ids = await Promise.all(
      range(1, 40).map(() => events.append({ type: 'large.thing', data: { text } })),
    )
    expect(ids.flat()).toEqual(range(1, 40))
  })

  test('rejects while the database is unavailable, and never loses an acknowledged event', async () => {
    await using database = await createLogDatabase()
    await using link = await openSeverableLink(database.url)
    await using linked = await connectAgain(link.url, { DATABASE_CONNECT_WAIT: '5s' })
    const acknowledged: number[] = []
    const refused: unknown[] = []
    {
      await using events = openEvents(linked)
      let done = false
      const isDone = () => done
      const appenders = range(1, 5).map(async () => {
        while (!isDone()) {
          await events.append([{ type: 'kept.one' }, { type: 'kept.two' }]).then(
            (ids) => acknowledged.push(...ids),
            (error) => refused.push(error),
          )
        }
      })
      for (let outage = 1; outage <= 5; outage++) {
        const [enough, before] = [acknowledged.length + 30, refused.length]
        await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(enough), {
          timeout: 30_000 * patience,
          interval: 10,
        })
        link.sever()
        await vi.waitFor(() => expect(refused.length).toBeGreaterThan(before), {
          timeout: 30_000 * patience,
          interval: 10,
        })
        link.mend()
      }
      done = true
      await Promise.all(appenders)
    }
    expect(refused.filter((error) => !isDatabaseUnavailable(error))).toEqual([])
    const rows = await database.query<{ id: number }>('select id from kernel_events order by id')
    const stored = rows.map((row) => row.id)
    expect(stored).toEqual(range(1, stored.length))
    expect(acknowledged.filter((id) => id > stored.length)).toEqual([])
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
  })
})
