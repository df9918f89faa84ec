import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inspectBackup, restoreBackup, verifyBackup, writeBackup } from '#kernel/backup'
import { readSettings } from '#kernel/config'
import { databaseSettings, type MigrationSet, migrate } from '#kernel/database'
import { UserError } from '#kernel/errors'
import { createLogger } from '#kernel/telemetry'
import { closePool } from '../support/close-pool.ts'
import { readTableContents } from '../support/table-contents.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })

let folder: string
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-backup-'))
})
afterAll(() => rm(folder, { recursive: true }))

const newPath = () => join(folder, `backup-${++files}.tar`)

async function createSet(sql: Readonly<Record<string, string>>): Promise<MigrationSet> {
  const path = await mkdtemp(join(folder, 'set-'))
  for (const [name, text] of Object.entries(sql)) await writeFile(join(path, name), text)
  return { owner: 'shop', folder: pathToFileURL(`${path}/`) }
}

async function backUp(database: TestDatabase): Promise<string> {
  const path = newPath()
  await writeBackup({ database, path, program: '0.1.0', secrets: [] })
  return path
}

async function restoreInto(
  database: TestDatabase,
  path: string,
  set: MigrationSet,
  { replace = false } = {},
): Promise<void> {
  await restoreBackup({ database, sets: [set], backup: await inspectBackup(path), replace })
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => new Error('it was not refused'),
    (it: unknown) => it,
  )
  if (!(error instanceof UserError)) throw error
  return error.message
}

async function openShop(sql: Readonly<Record<string, string>>) {
  const set = await createSet(sql)
  const database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [set], log)
  return { set, database, [Symbol.asyncDispose]: () => database.close() }
}

const everyKind = {
  '0001-everything.sql': `
    create table kinds (
      id bigint generated always as identity primary key,
      text text, number double precision, exact numeric, moment timestamptz, bytes bytea, names text[], json jsonb, plain json,
      doubled double precision generated always as (number * 2) stored
    );
    -- Two tables that refer to each other, and one that refers to itself.
    create table parents (id int primary key, favourite int);
    create table children (id int primary key, parent int references parents, twin int references children);
    alter table parents add constraint parents_favourite foreign key (favourite) references children;
    create table messages (kind text not null, body text) partition by list (kind);
    create table messages_mail partition of messages for values in ('mail');
    create unlogged table counts (name text);
    create table told (what text);
    create function tell() returns trigger language plpgsql as $$
      begin insert into told values ('inserted'); return null; end $$;
    create trigger parents_tell after insert on parents execute function tell();
    create view families as select parents.id from parents join children on parent = parents.id;
    insert into told values ('seeded by the migration');
  `,
}

test('a restore gives equal rows for every kind of value, and keeps constraints, triggers and sequences', async () => {
  await using shop = await openShop(everyKind)
  const insert = `insert into kinds (text, number, exact, moment, bytes, names, json, plain) values ($1, $2, $3, $4, $5, $6, $7, $8)`
  await shop.database.query(insert, [
    'tab\tline\nreturn\rbackslash\\ \\N "quoted" ünï 🎻 \\.',
    0.1 + 0.2,
    '12345678901234567890.000100',
    '2026-11-17T01:02:03.456789+05:30',
    Buffer.from([0, 1, 10, 13, 92, 255]),
    ['a,b', '{c}', 'd"', null],
    JSON.stringify({ deep: [1, null, 'é\n'] }),
    '{"b": 1,  "a": 1.00}',
  ])
  await shop.database.query(insert, [null, 'NaN', 'NaN', 'infinity', '', [], 'null', null])
  await shop.database.query('insert into kinds (number) values ($1)', ['-Infinity'])
  await shop.database.query('insert into parents values (1, null)')
  await shop.database.query('insert into children values (1, 1, 2), (2, 1, 1)')
  await shop.database.query('update parents set favourite = 2')
  await shop.database.query(`insert into messages values ('mail', 'hello')`)
  await shop.database.query(`insert into counts values ('not backed up')`)
  const path = await backUp(shop.database)

  await using target = await createTestDatabase({ start: 'empty' })
  await restoreInto(target, path, shop.set)
  expect(await readTableContents(target)).toEqual(await readTableContents(shop.database))
  expect(await target.query('select * from told')).toEqual(await shop.database.query('select * from told'))
  expect(await target.query('select * from counts')).toEqual([])
  expect(await target.query('select id from families')).toHaveLength(2)
  const [next] = await target.query<{ id: number }>(`insert into kinds (text) values ('next') returning id`)
  expect(next?.id).toBe(4)
  await expect(target.query('insert into children values (3, 99, null)')).rejects.toThrow(/foreign key/)
  await target.query('insert into parents values (2, null)')
  expect(await target.query('select * from told')).toHaveLength(3)
  expect(await migrate(target, [shop.set], log)).toEqual({ ran: 0 })
})

test('a backup while writes run shows one moment', async () => {
  await using shop = await openShop({
    '0001-accounts.sql': `
      create table a_account (cents bigint not null);
      create table m_middle (filler text not null);
      create table z_account (cents bigint not null);
      insert into a_account values (1000000);
      insert into z_account values (0);
    `,
  })
  await shop.database.query(
    `insert into m_middle select string_agg(md5(random()::text), '') from generate_series(1, 40000) n group by n % 2000`,
  )
  let transfers = 0
  const done = new AbortController()
  async function transfer(): Promise<void> {
    while (!done.signal.aborted) {
      await shop.database.query(
        `with taken as (update a_account set cents = cents - 1 returning 1)
         update z_account set cents = cents + (select count(*) from taken)`,
      )
      transfers += 1
    }
  }
  const writing = transfer()
  await expect.poll(() => transfers).toBeGreaterThan(3)
  const before = transfers
  // The backup has read the first account, and reads the other one after more transfers.
  const path = await shop.database.withSession(async (session) => {
    await session.query('begin; lock table m_middle')
    const backingUp = backUp(shop.database)
    const isWaiting = `select from pg_locks where relation = 'm_middle'::regclass and not granted`
    await expect.poll(() => session.query(isWaiting)).toHaveLength(1)
    const waitedAt = transfers
    await expect.poll(() => transfers).toBeGreaterThan(waitedAt + 3)
    await session.query('commit')
    return await backingUp
  })
  const during = transfers - before
  done.abort()
  await writing
  await using target = await createTestDatabase({ start: 'empty' })
  await restoreInto(target, path, shop.set)
  const [sum] = await target.query<{ cents: number; moved: number }>(
    'select a_account.cents + z_account.cents as cents, z_account.cents as moved from a_account, z_account',
  )
  expect(sum?.cents).toBe(1_000_000)
  expect(sum?.moved).toBeGreaterThanOrEqual(before)
  expect(sum?.moved).toBeLessThanOrEqual(before + during)
})

// A part of a backup has 4 MiB.
test('a row that is larger than a part is restored', async () => {
  await using shop = await openShop({
    '0001-large.sql': 'create table large (id int, text text, bytes bytea);',
  })
  await shop.database.query(
    `insert into large values (1, repeat('größer ', 700000), null), (2, 'small', decode(repeat('00ff', 500000), 'hex'))`,
  )
  const path = await backUp(shop.database)
  await using target = await createTestDatabase({ start: 'empty' })
  await restoreInto(target, path, shop.set)
  expect(await readTableContents(target)).toEqual(await readTableContents(shop.database))
})

const oneTable = {
  '0001-things.sql': `create table things (id int primary key, name text); insert into things values (1, 'one');`,
}

test('a damaged, cut off or foreign file is refused', async () => {
  await using shop = await openShop(oneTable)
  const bytes = await readFile(await backUp(shop.database))
  const part = bytes.indexOf('rows/things/')
  const damage = async (changed: Buffer) => {
    const path = newPath()
    await writeFile(path, changed)
    return refusal(inspectBackup(path))
  }
  const flipped = Buffer.from(bytes)
  flipped[part + 512 + 15] = (flipped[part + 512 + 15] ?? 0) ^ 1
  expect(await damage(flipped)).toContain('the checksum of rows/things/000001.copy.gz is wrong')
  const renamed = Buffer.from(bytes)
  renamed.write('rows/thongs/', part)
  expect(await damage(renamed)).toContain('one of its headers is damaged')
  expect(await damage(bytes.subarray(0, bytes.length - 1500))).toContain('it ends too early')
  expect(await damage(Buffer.concat([bytes.subarray(0, part), Buffer.alloc(1024)]))).toContain(
    'it is incomplete',
  )
  expect(await damage(Buffer.from('-- PostgreSQL database dump'.padEnd(2000)))).toContain('it is no backup')
  expect(await damage(Buffer.alloc(0))).toContain('it ends too early')
  expect(await refusal(inspectBackup(newPath()))).toContain('cannot be read')
})

test('a file that changes after its inspection restores nothing', async () => {
  await using shop = await openShop(oneTable)
  const path = await backUp(shop.database)
  const backup = await inspectBackup(path)
  const bytes = await readFile(path)
  const at = bytes.indexOf('rows/things/') + 512 + 15
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(path, bytes)
  await shop.database.query(`insert into things values (2, 'two')`)
  const before = await readTableContents(shop.database)
  await closePool(shop.database)
  const work = restoreBackup({ database: shop.database, sets: [shop.set], backup, replace: true })
  expect(await refusal(work)).toContain('the checksum of rows/things/000001.copy.gz is wrong')
  expect(await readTableContents(shop.database)).toEqual(before)
  expect(await openFiles()).not.toContain(path)
})

/** The files that this process has open; known on Linux alone. */
async function openFiles(): Promise<string[]> {
  if (process.platform !== 'linux') return []
  const descriptors = await readdir('/proc/self/fd')
  return await Promise.all(descriptors.map((it) => readlink(`/proc/self/fd/${it}`).catch(() => '')))
}

test('a backup that is newer than the program is refused, and the database stays as it was', async () => {
  await using newer = await openShop({ ...oneTable, '0002-more.sql': 'create table more (id int);' })
  const path = await backUp(newer.database)
  await using older = await openShop(oneTable)
  await closePool(older.database)
  expect(await refusal(restoreInto(older.database, path, older.set, { replace: true }))).toBe(
    'The backup is newer than this version of Tutti: it has migration shop/0002-more, which this version does not know. ' +
      'Start the version that wrote it, or a later one.',
  )
  expect(await older.database.query('select * from things')).toHaveLength(1)

  const bytes = await readFile(path)
  const text = bytes.toString('latin1').replace('"format":1', '"format":9')
  const later = newPath()
  await writeFile(later, Buffer.from(text, 'latin1'))
  expect(await refusal(inspectBackup(later))).toContain('it has format 9, and this version reads up to 1')
})

test('a backup of an older release is restored as it was, and then upgraded', async () => {
  await using older = await openShop(oneTable)
  const path = await backUp(older.database)
  const set = await createSet({
    ...oneTable,
    '0002-upper.sql': 'update things set name = upper(name); alter table things rename name to title;',
  })
  await using target = await createTestDatabase({ start: 'empty' })
  await restoreInto(target, path, set)
  expect(await target.query('select * from things')).toEqual([{ id: 1, name: 'one' }])
  expect(await migrate(target, [set], log)).toEqual({ ran: 1 })
  expect(await target.query('select * from things')).toEqual([{ id: 1, title: 'ONE' }])
})

test('a database with tables is refused without replace, and always while it is in use or has tables of others', async () => {
  await using shop = await openShop(oneTable)
  const path = await backUp(shop.database)
  await shop.database.query('update things set id = 7')
  expect(await refusal(restoreInto(shop.database, path, shop.set, { replace: true }))).toContain(
    'Tutti is running on this database (1 connections)',
  )
  await closePool(shop.database)
  expect(await refusal(restoreInto(shop.database, path, shop.set))).toContain('The database is not empty')
  await shop.database.query('create table invoices (id int)')
  await closePool(shop.database)
  expect(await refusal(restoreInto(shop.database, path, shop.set, { replace: true }))).toContain('invoices')
  await shop.database.query('drop table invoices')
  await closePool(shop.database)
  await restoreInto(shop.database, path, shop.set, { replace: true })
  expect(await shop.database.query('select * from things')).toEqual([{ id: 1, name: 'one' }])
})

test('verify restores into a scratch database, finds differences and leaves nothing behind', async () => {
  await using shop = await openShop(oneTable)
  const backup = await inspectBackup(await backUp(shop.database))
  const settings = readSettings(databaseSettings, { DATABASE_URL: shop.database.url })
  const options = { settings, sets: [shop.set], log }
  await verifyBackup({ ...options, backup })
  const tables = backup.index.tables.map((table) => ({ ...table, digest: table.digest.replace(/./, 'x') }))
  const other = { ...backup, index: { ...backup.index, tables } }
  expect(await refusal(verifyBackup({ ...options, backup: other }))).toContain(
    'Tables that differ: kernel_migrations, things',
  )
  expect(await shop.database.query(`select from pg_database where datname like 'tutti_verify_%'`)).toEqual([])
})

test('a backup never replaces a file, and a failed one leaves none', async () => {
  await using shop = await openShop(oneTable)
  const path = await backUp(shop.database)
  expect(
    await refusal(writeBackup({ database: shop.database, path, program: '0.1.0', secrets: [] })),
  ).toContain('exists already')
  await using empty = await createTestDatabase({ start: 'empty' })
  const none = newPath()
  expect(
    await refusal(writeBackup({ database: empty, path: none, program: '0.1.0', secrets: [] })),
  ).toContain('there is nothing to back up')
  expect((await readdir(folder)).filter((name) => none.endsWith(name) || name.includes('partial'))).toEqual(
    [],
  )
})
