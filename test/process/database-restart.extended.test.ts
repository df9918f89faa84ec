import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'
import { readSettings } from '#kernel/config'
import {
  createBatchWriter,
  type Database,
  databaseSettings,
  embeddedDatabaseUrl,
  isDatabaseUnavailable,
  openDatabase,
  retryWhenUnavailable,
} from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { createDataFolder } from '../support/data-folder.ts'
import { eventually } from '../support/eventually.ts'

interface Load {
  readonly acknowledged: string[]
  readonly failures: unknown[]
  stop(): Promise<void>
}

/** Callers of every kind, each writing its own rows sequentially until it is stopped. */
function startLoad(database: Database): Load {
  const acknowledged: string[] = []
  const failures: unknown[] = []
  const stopping = new AbortController()
  const writer = createBatchWriter({
    flush: (ids: readonly string[]) =>
      database.query<{ id: string }>('insert into written select unnest($1::text[]) returning id', [ids]),
  })
  const ways: Record<string, (id: string) => Promise<unknown>> = {
    query: (id) => database.query('insert into written values ($1)', [id]),
    transaction: (id) =>
      database.transaction(async (transaction) => {
        await sql`insert into written values (${id})`.execute(transaction)
        await sql`insert into written values (${`${id} too`})`.execute(transaction)
      }),
    kysely: (id) => sql`insert into written values (${id})`.execute(database.kysely),
    batch: (id) => writer.write(id),
  }
  const callers = Object.entries(ways).flatMap(([name, write]) =>
    Array.from({ length: 5 }, async (_, caller) => {
      for (let n = 0; !stopping.signal.aborted; n++) {
        const id = `${name} ${caller} ${n}`
        await write(id).then(
          () => acknowledged.push(id),
          (error: unknown) => failures.push(error),
        )
      }
    }),
  )
  return {
    acknowledged,
    failures,
    async stop() {
      stopping.abort()
      await Promise.all(callers)
      await writer.close()
    },
  }
}

test('PostgreSQL restarts under load: nothing acknowledged is lost, and every client recovers', async () => {
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  await using database = await folder.open()
  await database.query('create table written (id text primary key)')
  const heard: string[] = []
  let gaps = 0
  await database.listen(
    'news',
    (news) => heard.push(news),
    () => gaps++,
  )
  const load = startLoad(database)

  const restarts = ['SIGINT', 'SIGKILL', 'SIGINT', 'SIGQUIT', 'SIGINT'] as const
  for (const [index, signal] of restarts.entries()) {
    const before = load.acknowledged.length
    await eventually(() => load.acknowledged.length > before + 200)
    await folder.killServer(signal)
    await eventually(() => gaps > index)
    await database.query(`select pg_notify('news', $1)`, [`after restart ${index}`])
    await eventually(() => heard.includes(`after restart ${index}`))
  }
  await load.stop()

  const rows = await database.query<{ id: string }>('select id from written')
  const kept = new Set(rows.map((row) => row.id))
  expect(load.acknowledged.filter((id) => !kept.has(id))).toEqual([])
  expect(load.acknowledged.filter((id) => id.startsWith('transaction') && !kept.has(`${id} too`))).toEqual([])
  expect(load.failures.filter((error) => !isDatabaseUnavailable(error))).toEqual([])
  expect(gaps).toBe(restarts.length)
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('an unavailable server is reported in time, and used again when it is back', async () => {
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  const owner = await folder.open()
  await using database = await openDatabase({
    settings: readSettings(databaseSettings, {
      DATABASE_URL: embeddedDatabaseUrl(folder.path),
      DATABASE_CONNECT_WAIT: '5s',
    }),
    log: createLogger({ level: 'silent', format: 'json' }),
  })
  const onGap = vi.fn<() => void>()
  const heard = vi.fn<(payload: string) => void>()
  await database.listen('news', heard, onGap)
  await owner.close()

  const startedAt = performance.now()
  const answers = await Promise.allSettled(Array.from({ length: 50 }, () => database.query('select 1')))
  const tookMs = performance.now() - startedAt
  expect(answers.every((it) => it.status === 'rejected' && isDatabaseUnavailable(it.reason))).toBe(true)
  expect(tookMs).toBeGreaterThan(4500)
  expect(tookMs).toBeLessThan(20_000)
  await expect(database.ping()).rejects.toSatisfy(isDatabaseUnavailable)

  const patient = retryWhenUnavailable(() => database.query<{ answer: number }>('select 42 as answer'))
  await delay(200)
  await using ownerAgain = await folder.open()
  await ownerAgain.query('select 1')
  expect(await patient).toEqual([{ answer: 42 }])
  await eventually(() => onGap.mock.calls.length === 1)
  await database.query(`select pg_notify('news', 'hello')`)
  await eventually(() => heard.mock.calls.length === 1)
})

test('close stops a server that is being restarted', async () => {
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  for (const afterMs of [0, 10, 20, 40, 80]) {
    const database = await folder.open()
    await folder.killServer('SIGKILL')
    await delay(afterMs)
    await database.close()
    // Time for a missed server to appear.
    await delay(200)
    expect(folder.serverPid()).toBeUndefined()
  }
})
