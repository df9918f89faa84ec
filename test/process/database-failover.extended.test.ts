import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { type Database, databaseSettings, isDatabaseUnavailable, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { eventually } from '../support/eventually.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'

const log = createLogger({ level: 'silent', format: 'json' })

function open(hosts: readonly PostgresServer[], parameters = ''): Promise<Database> {
  const list = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const url = `postgres://tutti:any@${list}/tutti${parameters}`
  return openDatabase({ settings: readSettings(databaseSettings, { DATABASE_URL: url }), log })
}

async function startPair(settings: Readonly<Record<string, string>> = {}) {
  const closing = new AsyncDisposableStack()
  const primary = closing.use(await startPostgres({ settings }))
  const standby = closing.use(await startPostgres({ standbyOf: primary }))
  await eventually(async () => (await primary.run('select from pg_stat_replication')).length === 1, 100)
  return { primary, standby, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

test('after the primary is killed and a standby promoted, pool and listener move over and nothing acknowledged is lost', async () => {
  await using pair = await startPair({ synchronous_standby_names: '*' })
  const { primary, standby } = pair
  await using database = await open([primary, standby])
  await database.query('create table written (id text primary key)')
  const heard: string[] = []
  let gaps = 0
  await database.listen(
    'news',
    (news) => heard.push(news),
    () => gaps++,
  )
  const acknowledged: string[] = []
  const failures: unknown[] = []
  const stopping = new AbortController()
  const load = Array.from({ length: 8 }, async (_, caller) => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const id = `${caller} ${n}`
      await database.query('insert into written values ($1)', [id]).then(
        () => acknowledged.push(id),
        (error: unknown) => failures.push(error),
      )
    }
  })
  await eventually(() => acknowledged.length > 200)

  await primary.end('SIGKILL')
  const atLoss = acknowledged.length
  await standby.run('select pg_promote(true, 60)')
  const promotedAt = performance.now()
  await eventually(() => acknowledged.length > atLoss + 20)
  const recoveredMs = performance.now() - promotedAt
  await eventually(() => gaps === 1)
  await database.query(`select pg_notify('news', 'from the new primary')`)
  await eventually(() => heard.includes('from the new primary'))
  const movedMs = performance.now() - promotedAt
  stopping.abort()
  await Promise.all(load)

  // A free machine needs a second.
  expect(recoveredMs).toBeLessThan(20_000)
  expect(movedMs).toBeLessThan(20_000)
  const kept = new Set((await standby.run<{ id: string }>('select id from written')).map(({ id }) => id))
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
  expect(failures.filter((error) => !isDatabaseUnavailable(error))).toEqual([])
})

test('a standby listed first is passed over, unless any server will do', async () => {
  await using pair = await startPair()
  const { primary, standby } = pair
  {
    await using database = await open([standby, primary])
    expect(await database.query('select pg_is_in_recovery() as standby')).toEqual([{ standby: false }])
  }
  {
    await using database = await open([standby], '?target_session_attrs=any')
    expect(await database.query('select pg_is_in_recovery() as standby')).toEqual([{ standby: true }])
    await expect(database.query('create table t (id int)')).rejects.toSatisfy(isDatabaseUnavailable)
  }
  await primary.end('SIGINT')
  const settings = readSettings(databaseSettings, {
    DATABASE_URL: `postgres://tutti:any@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/tutti`,
    DATABASE_CONNECT_WAIT: '5s',
  })
  await expect(openDatabase({ settings, log })).rejects.toThrow(
    /^DATABASE_URL: the PostgreSQL server cannot be reached \(no host can be used \(127\.0\.0\.1:\d+: .*ECONNREFUSED.*; 127\.0\.0\.1:\d+: the server is a standby\)\)/,
  )
})

test('a primary that becomes read-only counts as lost: the pool takes the other host', async () => {
  await using first = await startPostgres()
  await using second = await startPostgres()
  await using database = await open([first, second])
  for (const server of [first, second]) await server.run('create table written (id int)')
  await database.query('insert into written values (1)')
  await first.run('alter system set default_transaction_read_only = on')
  await first.run('select pg_reload_conf()')
  // A session that is open hears of the change later, and may write once more until then.
  await eventually(async () => {
    await database.query('insert into written values (2)').catch(() => undefined)
    return (await second.run('select id from written')).length > 0
  })
  expect(await second.run('select id from written')).toEqual([{ id: 2 }])
})
