import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { type Database, databaseSettings, migrate, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { migrationSets } from '../../src/app/migrations.ts'
import { eventually } from '../support/eventually.ts'
import { hasProgram } from '../support/has-program.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { basicAuth, startPlatform } from '../support/platform.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { startTransactionPooler } from '../support/transaction-pooler.ts'

const log = createLogger({ level: 'silent', format: 'json' })

function open(environment: Readonly<Record<string, string>>): Promise<Database> {
  return openDatabase({ settings: readSettings(databaseSettings, environment), log })
}

const needsDirectUrl =
  /^DATABASE_URL: a connection pooler in transaction mode is in front of PostgreSQL.* Set DATABASE_DIRECT_URL to the address of PostgreSQL itself/

/** Everything that the platform does with a database. */
async function useDatabase(database: Database): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      database.query<{ n: number }>('select $1::int as n', [n], 'a_prepared_statement'),
    ),
  )
  expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 40 }, (_, n) => n))

  const limits = await database.transaction(async (transaction) => {
    const { rows } = await sql<{ statement: string; lock: string; idle: string }>`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle
    `.execute(transaction)
    return rows
  })
  expect(limits).toEqual([{ statement: '30s', lock: '10s', idle: '10s' }])

  const heard: string[] = []
  await database.listen('news', (news) => heard.push(news))
  for (let n = 0; n < 20; n++) await database.query(`select pg_notify('news', $1)`, [String(n)])
  await eventually(() => heard.length === 20)

  await database.withSession(async (session) => {
    await session.query('select pg_advisory_lock(1234)')
    const pids = new Set<number>()
    for (let n = 0; n < 10; n++) {
      const [row] = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
      pids.add(row?.pid ?? 0)
      await database.query('select 1')
    }
    expect(pids.size).toBe(1)
  })
}

describe('a pooler in transaction mode', () => {
  test('is detected at the start and refused without DATABASE_DIRECT_URL', async () => {
    await using server = await startPostgres()
    await using pooler = await startTransactionPooler(server.port)
    await expect(open({ DATABASE_URL: pooler.url })).rejects.toThrow(needsDirectUrl)
    await expect(open({ DATABASE_URL: server.url, DATABASE_DIRECT_URL: pooler.url })).rejects.toThrow(
      /^DATABASE_DIRECT_URL: a connection pooler in transaction mode/,
    )
  })

  test('serves the pool when DATABASE_DIRECT_URL leads to PostgreSQL', async () => {
    await using server = await startPostgres()
    await using pooler = await startTransactionPooler(server.port)
    await using database = await open({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: server.url })
    await useDatabase(database)
  })

  test('and a direct address of another server are refused', async () => {
    await using server = await startPostgres()
    await using other = await startPostgres()
    await using pooler = await startTransactionPooler(server.port)
    await expect(open({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: other.url })).rejects.toThrow(
      'DATABASE_DIRECT_URL leads to another server or database than DATABASE_URL.',
    )
  })

  test('cannot pass on options, which is said', async () => {
    await using server = await startPostgres()
    await using pooler = await startTransactionPooler(server.port)
    await expect(
      open({
        DATABASE_URL: `${pooler.url}?options=-c%20work_mem%3D8MB`,
        DATABASE_DIRECT_URL: server.url,
      }),
    ).rejects.toThrow('DATABASE_URL: a connection pooler does not pass on options.')
  })
})

describe.skipIf(!hasProgram('pgbouncer'))('PgBouncer', () => {
  test('in transaction mode is refused alone, and serves the pool beside a direct address', async () => {
    await using server = await startPostgres()
    await using bouncer = await startPgBouncer(server.port, 'transaction')
    await expect(open({ DATABASE_URL: bouncer.url })).rejects.toThrow(needsDirectUrl)
    await using database = await open({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: server.url })
    await useDatabase(database)
    expect((await migrate(database, migrationSets, log)).ran).toBeGreaterThan(0)
  })

  test('in session mode needs no other address', async () => {
    await using server = await startPostgres()
    await using bouncer = await startPgBouncer(server.port, 'session')
    await using database = await open({ DATABASE_URL: bouncer.url })
    await useDatabase(database)
  })

  test('in transaction mode carries a whole platform', async () => {
    await using server = await startPostgres()
    await using bouncer = await startPgBouncer(server.port, 'transaction')
    await using platform = await startPlatform({
      DATABASE_URL: bouncer.url,
      DATABASE_DIRECT_URL: server.url,
      TUTTI_SECRET: 'a secret of this test, long enough',
    })
    const headers = basicAuth(platform)
    const statuses = await Promise.all(
      Array.from(
        { length: 30 },
        async () => (await fetch(`${platform.url}/api/v1/events?limit=5`, { headers })).status,
      ),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    await expect.poll(async () => (await fetch(`${platform.url}/readyz`)).status).toBe(200)
  })
})
