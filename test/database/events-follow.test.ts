import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import type { StoredEvent } from '#kernel/events'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { connectAgain, createLogDatabase, idsOf, openEvents, range, take } from './events-setting.ts'
import { openSeverableLink } from './events-severable-link.ts'

const never = new AbortController().signal

describe('following events', () => {
  test('starts with stored events and continues with new ones, also of another process', async () => {
    await using database = await createLogDatabase()
    await using other = await connectAgain(database.url)
    await using events = openEvents(database, { pollMs: 60_000 })
    await using otherEvents = openEvents(other)
    await events.append(range(1, 250).map((n) => ({ type: 'old.one', data: { n } })))
    const following = take(events.follow({ after: 40, signal: never }), 215)
    await delay(50)
    for (let n = 251; n <= 255; n++) await otherEvents.append({ type: 'new.one', data: { n } })
    const seen = await following
    expect(idsOf(seen)).toEqual(range(41, 255))
    expect(seen.map((event) => event.data)).toEqual(range(41, 255).map((n) => ({ n })))
  })

  test('resumes after each of 100 cuts without loss or repeat', async () => {
    await using database = await createLogDatabase()
    await using events = openEvents(database, { ring: { maxEvents: 20, maxBytes: 1_000_000 } })
    const total = 1200
    const appending = (async () => {
      for (let stored = 0; stored < total; stored += 10) {
        await events.append(range(1, 10).map((n) => ({ type: 'flow.on', data: { n: stored + n } })))
      }
    })()
    const seen: number[] = []
    for (let cut = 1; cut <= 101; cut++) {
      const leaving = new AbortController()
      const enough = cut === 101 ? total : seen.length + 1 + (cut % 20)
      for await (const event of events.follow({ after: seen.at(-1) ?? 0, signal: leaving.signal })) {
        seen.push(event.id)
        if (seen.length < enough) continue
        // Half of the readers disconnect, the others are cut.
        if (cut % 2 === 0) break
        leaving.abort()
      }
    }
    await appending
    expect(seen).toEqual(range(1, total))
  })

  test('serves a reader that is slower than the ring', async () => {
    await using database = await createLogDatabase()
    await using events = openEvents(database, { ring: { maxEvents: 10, maxBytes: 1_000_000 } })
    const stream = events.follow({ after: 0, signal: never })[Symbol.asyncIterator]()
    const seen: StoredEvent[] = []
    for (let burst = 0; burst < 6; burst++) {
      await events.append(range(1, 170).map((n) => ({ type: 'burst.part', data: { n } })))
      for (let n = 0; n < 40; n++) {
        const next = await stream.next()
        if (next.done !== true) seen.push(next.value)
      }
    }
    await stream.return?.()
    seen.push(...(await take(events.follow({ after: 240, signal: never }), 1020 - 240)))
    expect(idsOf(seen)).toEqual(range(1, 1020))
  })

  test('reads the log once for many readers', async () => {
    await using database = await createLogDatabase()
    let queries = 0
    const counted: Database = {
      ...database,
      query(text, values) {
        queries += 1
        return database.query(text, values)
      },
    }
    await using events = openEvents(counted)
    const followers = range(1, 50).map(() => take(events.follow({ after: 0, signal: never }), 300))
    for (let n = 1; n <= 300; n++) await events.append({ type: 'shared.one' })
    for (const seen of await Promise.all(followers)) expect(idsOf(seen)).toEqual(range(1, 300))
    // One statement per append, about one per tail read, and a few while each of the fifty catches up.
    expect(queries).toBeLessThan(300 * 3 + 50 * 4)
  })

  test('applies the filter to past and live events', async () => {
    await using database = await createLogDatabase()
    await using events = openEvents(database)
    const kinds = ['run.started', 'run.ended', 'node.seen']
    const all = range(0, 59).map((n) => ({
      type: kinds[n % 3] ?? '',
      subject: n % 2 === 0 ? 'even' : null,
      account: `account-${n % 5}`,
      data: { n },
    }))
    const expectations = [
      { filter: { subject: 'even' }, wanted: (n: number) => n % 2 === 0 },
      { filter: { account: 'account-3' }, wanted: (n: number) => n % 5 === 3 },
      { filter: { types: ['run.ended', 'node.seen'] }, wanted: (n: number) => n % 3 !== 0 },
      {
        filter: { subject: 'even', account: 'account-2', types: ['node.seen'] },
        wanted: (n: number) => n % 2 === 0 && n % 5 === 2 && n % 3 === 2,
      },
    ]
    await events.append(all.slice(0, 30))
    const following = expectations.map(({ filter, wanted }) => {
      const count = all.filter((event) => wanted(event.data.n)).length
      return take(events.follow({ ...filter, after: 0, signal: never }), count)
    })
    await delay(30)
    for (const event of all.slice(30)) await events.append(event)
    for (const [index, { filter, wanted }] of expectations.entries()) {
      const numbers = all.map((event) => event.data.n).filter(wanted)
      expect((await following[index])?.map((event) => event.data['n'])).toEqual(numbers)
      const page = await events.read({ ...filter, after: 0, limit: 100 })
      expect(page.events.map((event) => event.data['n'])).toEqual(numbers)
      expect(await events.count(filter)).toBe(numbers.length)
    }
  })

  test('loses nothing when its connections are ended by the server', async () => {
    await using database = await createLogDatabase()
    await using other = await connectAgain(database.url)
    await using events = openEvents(database, { pollMs: 60_000 })
    await using otherEvents = openEvents(other)
    const following = take(events.follow({ after: 0, signal: never }), 200)
    for (let n = 1; n <= 200; n++) {
      if (n % 50 === 25) {
        await other.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()
        `)
      }
      await otherEvents.append({ type: 'after.all' })
    }
    expect(idsOf(await following)).toEqual(range(1, 200))
  })

  test('waits while the database is unavailable, for catching-up and live readers', async () => {
    await using database = await createLogDatabase()
    await using link = await openSeverableLink(database.url)
    await using linked = await connectAgain(link.url, {
      DATABASE_CONNECT_WAIT: `${Math.ceil(2000 * patience)}ms`,
    })
    let failures = 0
    const watched: Database = {
      ...linked,
      async query<Row>(text: string, values?: readonly unknown[], name?: string) {
        try {
          return await linked.query<Row>(text, values, name)
        } catch (error) {
          failures += 1
          throw error
        }
      },
    }
    await using direct = openEvents(database)
    await using events = openEvents(watched, { pollMs: 100 })
    await direct.append(range(1, 300).map(() => ({ type: 'before.cut' })))
    const slow = events.follow({ after: 0, signal: never })[Symbol.asyncIterator]()
    const live = take(events.follow({ after: 300, signal: never }), 20)
    const seen = [await slow.next()]
    link.sever()
    await direct.append(range(1, 10).map(() => ({ type: 'during.cut' })))
    const rest = (async () => {
      while (seen.length < 320) seen.push(await slow.next())
    })()
    await eventually(() => failures >= 2)
    link.mend()
    await direct.append(range(1, 10).map(() => ({ type: 'after.cut' })))
    expect(idsOf(await live)).toEqual(range(301, 320))
    await rest
    await slow.return?.()
    expect(seen.map((next) => (next.done === true ? undefined : next.value.id))).toEqual(range(1, 320))
  })

  test('ends when its signal aborts and when the log is closed', async () => {
    await using database = await createLogDatabase()
    const events = openEvents(database)
    const leaving = new AbortController()
    const aborted = take(events.follow({ after: 0, signal: leaving.signal }), 1)
    const closed = take(events.follow({ after: 0, signal: never }), 1)
    leaving.abort()
    expect(await aborted).toEqual([])
    await events.close()
    expect(await closed).toEqual([])
  })
})
