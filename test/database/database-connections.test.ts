import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { type Database, databaseSettings, isDatabaseUnavailable, openDatabase } from '#kernel/database'
import { Failure } from '#kernel/errors'
import { createLogger } from '#kernel/telemetry'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { createTestDatabase } from '../support/test-database.ts'

function withSqlState(code: string) {
  return (error: unknown) => error instanceof DatabaseError && error.code === code
}

function withFailureCode(code: string) {
  return (error: unknown) => error instanceof Failure && error.code === code
}

async function endOtherConnections(database: Pick<Database, 'withSession'>): Promise<void> {
  await database.withSession((session) =>
    session.query(`
      select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
    `),
  )
}

test('a query error is passed on unchanged, by every method', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await expect(database.query('select 1/0')).rejects.toSatisfy(withSqlState('22012'))
  await expect(sql`select 1/0`.execute(database.kysely)).rejects.toSatisfy(withSqlState('22012'))
  await expect(database.transaction((transaction) => sql`select 1/0`.execute(transaction))).rejects.toSatisfy(
    withSqlState('22012'),
  )
})

test('the server cancels a statement that exceeds its timeout, and the pool keeps working', async () => {
  await using database = await createTestDatabase({
    start: 'empty',
    environment: { DATABASE_STATEMENT_TIMEOUT: '1s', DATABASE_POOL_SIZE: '1' },
  })
  await expect(database.query('select pg_sleep(20)')).rejects.toSatisfy(withSqlState('57014'))
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('a connection that ends during a statement is database_unavailable, by every method', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const suicide = 'select pg_terminate_backend(pg_backend_pid())'
  await expect(database.query(suicide)).rejects.toSatisfy(isDatabaseUnavailable)
  await expect(sql.raw(suicide).execute(database.kysely)).rejects.toSatisfy(isDatabaseUnavailable)
  await expect(
    database.transaction((transaction) => sql.raw(suicide).execute(transaction)),
  ).rejects.toSatisfy(isDatabaseUnavailable)
  await expect(database.withSession((session) => session.query(suicide))).rejects.toSatisfy(
    isDatabaseUnavailable,
  )
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('the cause of a lost connection is kept for the log', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const error: unknown = await database
    .query('select pg_terminate_backend(pg_backend_pid())')
    .catch((it: unknown) => it)
  expect(error).toMatchObject({
    code: 'database_unavailable',
    retryable: true,
    cause: expect.any(Error) as Error,
  })
})

test('a connection that ends while it is borrowed and idle affects no other caller', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const work = database.transaction(async (transaction) => {
    await endOtherConnections(database)
    await sql`select 1`.execute(transaction)
  })
  await expect(work).rejects.toSatisfy(isDatabaseUnavailable)
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('idle connections that end are replaced without a failure', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await Promise.all(Array.from({ length: 5 }, () => database.query('select pg_sleep(0.05)')))
  // A query may have used the connection of another while its own was still being opened.
  await eventually(() => database.poolUsage().total === database.poolUsage().idle)
  await endOtherConnections(database)
  await eventually(() => database.poolUsage().total === 0)
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('the caller sees the error of the work, even when its connection is gone', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const work = database.transaction(async () => {
    await endOtherConnections(database)
    throw new RangeError('my own')
  })
  await expect(work).rejects.toThrow(new RangeError('my own'))
})

test('a transaction that throws is rolled back', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await database.query('create table kept (id int)')
  await expect(
    database.transaction(async (transaction) => {
      await sql`insert into kept values (1)`.execute(transaction)
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  expect(await database.query('select * from kept')).toEqual([])
})

test('a caller that waits too long for a connection gets an overloaded error', async () => {
  await using database = await createTestDatabase({
    start: 'empty',
    environment: { DATABASE_POOL_SIZE: '1', DATABASE_CONNECT_WAIT: `${Math.ceil(1500 * patience)}ms` },
  })
  await database.transaction(async () => {
    await expect(database.query('select 1')).rejects.toSatisfy(withFailureCode('overloaded'))
    expect(database.poolUsage()).toMatchObject({ total: 1, idle: 0 })
  })
})

test('after close every call is shutting_down, and closing again is allowed', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await database.close()
  await expect(database.query('select 1')).rejects.toSatisfy(withFailureCode('shutting_down'))
  await expect(database.listen('news', () => {})).rejects.toSatisfy(withFailureCode('shutting_down'))
  await database.close()
})

test('64-bit integers are numbers, and one that does not fit is an error', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  expect(
    await database.query(
      'select 9007199254740991::bigint as big, count(*), array[1, null, 2]::bigint[] as list',
    ),
  ).toEqual([{ big: Number.MAX_SAFE_INTEGER, count: 1, list: [1, null, 2] }])
  await expect(database.query('select 9007199254740993::bigint')).rejects.toThrow('does not fit a number')
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('text is ordered the same on every machine', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const rows = await database.query<{ word: string }>(
    `select word from unnest(array['b', 'a', 'B', 'ä', 'A']) as word order by word`,
  )
  expect(rows.map((row) => row.word)).toEqual(['A', 'B', 'a', 'b', 'ä'])
})

test('the pool never has more connections than its size, however many callers wait', async () => {
  await using database = await createTestDatabase({
    start: 'empty',
    environment: { DATABASE_POOL_SIZE: '3' },
  })
  const counted: number[] = []
  await Promise.all(
    Array.from({ length: 60 }, async () => {
      const [row] = await database.query<{ count: number }>(
        `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'tutti'`,
      )
      counted.push(row?.count ?? 0, database.poolUsage().total)
    }),
  )
  expect(Math.max(...counted)).toBeLessThanOrEqual(3)
})

test('a borrowed connection that ended without a statement is not lent again', async () => {
  await using own = await createTestDatabase({ start: 'empty' })
  const lines: string[] = []
  await using database = await openDatabase({
    settings: readSettings(databaseSettings, { DATABASE_URL: own.url, DATABASE_POOL_SIZE: '1' }),
    log: createLogger({
      level: 'debug',
      format: 'json',
      destination: { write: (line) => void lines.push(line) },
    }),
  })
  const borrowed = await database.kysely.connection().execute(async () => {
    await endOtherConnections(database)
    await eventually(() => lines.some((line) => line.includes('lost a database connection')))
    return true
  })
  expect(borrowed).toBe(true)
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
})
