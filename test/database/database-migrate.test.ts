import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { type MigrationSet, migrate, migrationState } from '#kernel/database'
import { UserError } from '#kernel/errors'
import { createLogger } from '#kernel/telemetry'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })

interface MigrationFolder extends AsyncDisposable {
  readonly set: MigrationSet
  write(name: string, sql: string): Promise<void>
  remove(name: string): Promise<void>
}

async function createMigrations(
  owner: string,
  files: Readonly<Record<string, string>>,
): Promise<MigrationFolder> {
  const path = await mkdtemp(join(tmpdir(), 'tutti-migrations-'))
  const write = (name: string, sql: string) => writeFile(join(path, name), sql)
  for (const [name, sql] of Object.entries(files)) await write(name, sql)
  return {
    set: { owner, folder: pathToFileURL(`${path}/`) },
    write,
    remove: (name) => rm(join(path, name)),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  }
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => new Error('it was not refused'),
    (it: unknown) => it,
  )
  if (!(error instanceof UserError)) throw error
  return error.message
}

async function tables(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  return rows.map((row) => row.name)
}

test('files run once, in the order of the sets and of their numbers', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await using kernel = await createMigrations('kernel', {
    '0001-one.sql': 'create table one (id int); insert into one values (1);',
    '0002-two.sql': 'create table two as select id + 1 as id from one;',
  })
  await using identity = await createMigrations('identity', {
    '0001-three.sql': 'create table three as select id + 1 as id from two',
  })
  const sets = [kernel.set, identity.set]

  expect((await migrationState(database, sets)).pending.map((it) => `${it.owner}/${it.name}`)).toEqual([
    'kernel/0001-one',
    'kernel/0002-two',
    'identity/0001-three',
  ])
  expect(await migrate(database, sets, log)).toEqual({ ran: 3 })
  expect(await database.query('select id from three')).toEqual([{ id: 3 }])
  expect(await migrate(database, sets, log)).toEqual({ ran: 0 })

  const { applied, pending } = await migrationState(database, sets)
  expect(applied.map((it) => it.name)).toEqual(['0001-one', '0002-two', '0001-three'])
  expect(applied[0]?.appliedAt).toBeInstanceOf(Date)
  expect(pending).toEqual([])
})

test('replicas that start concurrently run every file once', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await using kernel = await createMigrations('kernel', {
    '0001-one.sql': 'create table one (id int); select pg_sleep(0.3)',
    '0002-two.sql': 'create table two (id int)',
  })
  const results = await Promise.all(Array.from({ length: 4 }, () => migrate(database, [kernel.set], log)))
  expect(results.map((it) => it.ran).sort((a, b) => a - b)).toEqual([0, 0, 0, 2])
})

test('a failing file is rolled back, its position is reported, and it runs after a fix', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await using kernel = await createMigrations('kernel', {
    '0001-one.sql': 'create table one (id int);',
    '0002-two.sql': '-- über\ncreate table two (id int);\ninsert into two select nothing from two;\n',
  })

  const message = await refusal(migrate(database, [kernel.set], log))
  expect(message).toBe(
    'Migration kernel/0002-two.sql failed at line 3, column 24: column "nothing" does not exist. ' +
      'The file was rolled back as a whole. Correct it and start again.',
  )
  expect(await tables(database)).toEqual(['kernel_migrations', 'one'])

  await kernel.write('0002-two.sql', 'create table two (id int)')
  expect(await migrate(database, [kernel.set], log)).toEqual({ ran: 1 })
  expect(await tables(database)).toEqual(['kernel_migrations', 'one', 'two'])
})

test('a file that was changed after it ran is refused', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await using kernel = await createMigrations('kernel', { '0001-one.sql': 'create table one (id int);\n' })
  await migrate(database, [kernel.set], log)

  await kernel.write('0001-one.sql', 'create table one (id int);\r\n')
  expect(await migrate(database, [kernel.set], log)).toEqual({ ran: 0 })
  await kernel.write('0001-one.sql', 'create table one (id bigint);\n')
  const message =
    'Migration kernel/0001-one.sql was changed after it ran on this database (as 0001-one). ' +
    'Put the file back as it was and add a new migration for the change.'
  expect(await refusal(migrate(database, [kernel.set], log))).toBe(message)
  expect(await refusal(migrationState(database, [kernel.set]))).toBe(message)
})

test('a database newer than the code is refused', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await using kernel = await createMigrations('kernel', {
    '0001-one.sql': 'select 1',
    '0002-two.sql': 'select 2',
  })
  await using later = await createMigrations('later', { '0001-more.sql': 'select 3' })
  await migrate(database, [kernel.set, later.set], log)

  expect(await refusal(migrate(database, [kernel.set], log))).toBe(
    'The database is newer than this version of Tutti: it has migration later/0001-more, which this version does not know. ' +
      'Start the version that wrote it, or a later one.',
  )
  await kernel.remove('0002-two.sql')
  expect(await refusal(migrate(database, [kernel.set, later.set], log))).toContain(
    'it has migration kernel/0002-two',
  )
})

/** A program that knows only the first file of a database to which a later one was applied. */
async function olderProgram(later: string, level: number) {
  await using database = await createTestDatabase({ start: 'empty' })
  await using kernel = await createMigrations('kernel', {
    '0001-one.sql': 'create table one (id int not null); create index one_by_id on one (id)',
    '0002-two.sql': later,
  })
  await migrate(database, [kernel.set], log)
  await kernel.remove('0002-two.sql')
  const { newer } = await migrationState(database, [kernel.set], { level })
  const { ran } = await migrate(database, [kernel.set], log, { level })
  return { ran, newer: newer.map((it) => it.name) }
}

const works = { ran: 0, newer: ['0002-two'] }

test.each([
  ['a table', 'create table two (id int unique check (id > 0)); alter table two alter id set not null'],
  ['columns', "alter table one add column a numeric(4, 1), add column b text not null default ',;drop'"],
  ['an index', 'create index one_again on one (id desc); -- drop table one;'],
  ['a function', 'create function f() returns int language sql as $$ delete from one; select 1 $$'],
  ['what its author has checked', '-- expands: no program reads this index\ndrop index one_by_id'],
])('an older program starts on a database that got %s', async (_, sql) => {
  expect(await olderProgram(sql, 1)).toEqual(works)
})

test.each([
  ['drops a column', 'alter table one drop column id'],
  ['renames a table', 'alter table one rename to uno'],
  ['adds a required column', 'alter table one add column a int, add column b int not null'],
  ['adds a unique column', 'alter table one add column a int unique'],
  ['changes a type', 'alter table one alter column id type bigint'],
  ['adds a constraint', 'alter table one add constraint positive check (id > 0)'],
  ['adds a unique index', 'create unique index one_once on one (id)'],
  ['changes rows', 'update one set id = id + 1'],
  ['replaces a function', 'create or replace function f() returns int language sql as $$ select 1 $$'],
])('without a mark, a migration that %s supports no older program', async (_, sql) => {
  expect(await refusal(olderProgram(sql, 1_000))).toContain('is newer than this version of Tutti')
})

test('a contracting migration supports programs from its level', async () => {
  const sql = '-- contracts: level 3, programs of this level do not use the index\ndrop index one_by_id'
  expect(await refusal(olderProgram(sql, 2))).toContain('it has migration kernel/0002-two')
  expect(await olderProgram(sql, 3)).toEqual(works)
})

test.each(['-- contracts: soon', '-- contracts', '-- expands', '-- expands: a\n-- contracts: level 2, b'])(
  'the mark %j is refused',
  async (mark) => {
    expect(await refusal(olderProgram(`${mark}\nselect 1`, 1))).toContain(
      'write one comment "-- expands: REASON"',
    )
  },
)

test('a program that lacks migrations of the database and has others of its own is refused', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await using kernel = await createMigrations('kernel', { '0001-one.sql': 'create table one (id int)' })
  await using other = await createMigrations('other', { '0001-two.sql': 'create table two (id int)' })
  await migrate(database, [kernel.set], log)
  expect(await refusal(migrate(database, [other.set], log))).toContain('it has migration kernel/0001-one')
})

test('records of a program without levels are read, and support no older program', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await using kernel = await createMigrations('kernel', { '0001-one.sql': 'create table one (id int)' })
  await migrate(database, [kernel.set], log)
  await database.query('alter table kernel_migrations drop column min_supported')
  expect((await migrationState(database, [kernel.set])).pending).toEqual([])
  expect(await refusal(migrationState(database, []))).toContain('it has migration kernel/0001-one')
  expect(await migrate(database, [kernel.set], log)).toEqual({ ran: 0 })
})

test('a migration that waits for a lock lets other statements pass, and runs later', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await using kernel = await createMigrations('kernel', { '0001-one.sql': 'create table one (id int)' })
  await migrate(database, [kernel.set], log)
  await kernel.write('0002-two.sql', 'alter table one add column a int')
  let migrating: Promise<unknown> | undefined
  await database.withSession(async (reader) => {
    await reader.query('begin')
    await reader.query('select from one')
    migrating = migrate(database, [kernel.set], log)
    // Queued behind the lock that the migration wants, until the migration gives up its turn.
    await expect.poll(() => waitingFor(database, 'relation')).toBe(1)
    await database.query('insert into one values (1)')
    expect(await database.query('select from kernel_migrations where number = 2')).toEqual([])
    await reader.query('commit')
  })
  expect(await migrating).toEqual({ ran: 1 })
})

async function waitingFor(database: TestDatabase, lock: string): Promise<number> {
  const rows = await database.query(
    'select from pg_locks where not granted and locktype = $1 and database = (select oid from pg_database where datname = current_database())',
    [lock],
  )
  return rows.length
}

test('numbers that have gaps, repeat or are missing are refused before any file runs', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const refuse = async (files: Record<string, string>) => {
    await using kernel = await createMigrations('kernel', files)
    return await refusal(migrate(database, [kernel.set], log))
  }
  expect(await refuse({ '0001-one.sql': 'select 1', '0003-three.sql': 'select 3' })).toBe(
    'Migration kernel/0003-three.sql: migration 2 is missing. Number the files without gaps.',
  )
  expect(await refuse({ '0001-one.sql': 'select 1', '0001-uno.sql': 'select 1' })).toBe(
    'Migration kernel/0001-uno.sql: the number 1 is used twice. Renumber the newer file.',
  )
  expect(await refuse({ 'one.sql': 'select 1' })).toBe(
    'Migration kernel/one.sql: the file name is invalid. Use a name like 0001-add-users.sql.',
  )
  expect(await tables(database)).toEqual([])
})

test('two sets with one owner are refused', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  await using kernel = await createMigrations('kernel', { '0001-one.sql': 'select 1' })
  expect(await refusal(migrate(database, [kernel.set, kernel.set], log))).toContain(
    'Two migration sets have the owner "kernel"',
  )
})

test('a migration may exceed the statement timeout', async () => {
  await using database = await createTestDatabase({
    start: 'empty',
    environment: { DATABASE_STATEMENT_TIMEOUT: '100ms' },
  })
  await using kernel = await createMigrations('kernel', { '0001-slow.sql': 'select pg_sleep(0.5)' })
  expect(await migrate(database, [kernel.set], log)).toEqual({ ran: 1 })
})
