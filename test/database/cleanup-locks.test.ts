import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { createLogger } from '#kernel/telemetry'
import { openGates } from '../../src/engine/gates/gates.ts'
import { createRetentionTask } from '../../src/engine/retention/retention.ts'
import { createLastUsedWriter } from '../../src/identity/last-used-writer.ts'
import { createRecords } from '../../src/identity/oauth/records.ts'
import { createSessions } from '../../src/identity/sessions/sessions.ts'
import { identitySettings } from '../../src/identity/settings.ts'
import { createPruneTask } from '../../src/triggers/deliveries.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database[Symbol.asyncDispose]())

const log = createLogger({ level: 'silent', format: 'json' })
const { signal } = new AbortController()

/** A cleanup that deletes several rows, and the statement that stores the two rows `locked` and `free`, which it deletes. */
interface Cleanup {
  readonly table: string
  /** SQL: the name of a row. */
  readonly name: string
  readonly insert: string
  readonly run: () => Promise<unknown>
}

const cleanups: readonly Cleanup[] = [
  {
    table: 'engine_throttles',
    name: 'key',
    insert: `insert into engine_throttles (key, next_at) select name, now() - interval '1 day' from names`,
    async run() {
      await using gates = openGates({ database, log, promote: async () => {} })
      await gates.task.run(signal)
    },
  },
  {
    table: 'engine_history_accounts',
    name: 'flow_id',
    insert: `
      insert into engine_history_accounts (flow_id, grain, at, account_id, executions, completed, failed, spent)
      select name, 'minute', now() - interval '1 year', gen_random_uuid(), 1, 1, 0, 0 from names
    `,
    run: () =>
      createRetentionTask({ database, log, settings: { executionRetentionMs: 86_400_000 } }).run(signal),
  },
  {
    table: 'trigger_deliveries',
    name: 'delivery_id',
    insert: `
      , stored as (
        insert into triggers (id, account_id, kind, flow_id, settings, token_hash)
        values (gen_random_uuid(), gen_random_uuid(), 'webhook', 'flow', '{}', '\\x00')
        returning id
      )
      insert into trigger_deliveries (trigger_id, delivery_id, received_at, outcome)
      select stored.id, name, now() - interval '1 year', 'ignored' from stored, names
    `,
    run: () => createPruneTask(database).run(signal),
  },
  {
    table: 'trigger_signed_requests',
    name: 'delivery_id',
    insert: `
      , stored as (
        insert into triggers (id, account_id, kind, flow_id, settings, token_hash)
        values (gen_random_uuid(), gen_random_uuid(), 'webhook', 'flow', '{}', '\\x01')
        returning id
      )
      insert into trigger_signed_requests (trigger_id, signed_hash, delivery_id, received_at)
      select stored.id, sha256(name::bytea), name, now() - interval '1 year' from stored, names
    `,
    run: () => createPruneTask(database).run(signal),
  },
  {
    table: 'identity_oauth_records',
    name: `payload ->> 'name'`,
    insert: `
      insert into identity_oauth_records (model, id, payload, expires_at)
      select 'AuthorizationCode', sha256(name::bytea), json_build_object('name', name), now() - interval '1 day' from names
    `,
    run: () => createRecords({ database, graceSeconds: 0 }).removeExpired(),
  },
  {
    table: 'identity_sessions',
    name: 'ip',
    insert: `
      , owner as (
        insert into identity_users (username, username_key, display_name) values ('guest', 'guest', 'Guest') returning id
      )
      insert into identity_sessions (id, user_id, csrf_secret, expires_at, ip)
      select sha256(name::bytea), owner.id, sha256(name::bytea), now() - interval '1 day', name from owner, names
    `,
    run: () => createSessions({ database, settings: readSettings(identitySettings, {}) }).removeExpired(),
  },
]

/** A statement that deletes such rows in another order would otherwise deadlock with the cleanup. */
test.each(cleanups)('the cleanup of $table does not wait for a locked row', async (cleanup) => {
  const { table, name, insert, run } = cleanup
  await database.query(`with names (name) as (values ('locked'), ('free')) ${insert}`)
  const readNames = async () => {
    const rows = await database.query<{ name: string }>(`select ${name} as name from ${table}`)
    return rows.map((row) => row.name)
  }
  await database.withSession(async (session) => {
    await session.query('begin')
    await session.query(`select from ${table} where ${name} = 'locked' for update`)
    await run()
    expect(await readNames()).toEqual(['locked'])
    await session.query('rollback')
  })
  await run()
  expect(await readNames()).toEqual([])
})

test('times of use are written in the order of the keys', async () => {
  const [first = '', second = ''] = [randomUUID(), randomUUID()].sort()
  const owner = randomUUID()
  await database.query(
    `insert into identity_users (id, username, username_key, display_name) values ($1, 'owner', 'owner', 'Owner')`,
    [owner],
  )
  for (const id of [second, first]) {
    await database.query(
      `insert into identity_api_keys (id, user_id, name, prefix, key_hash) values ($1, $2, 'key', 'key', sha256($3::bytea))`,
      [id, owner, id],
    )
  }
  await using writer = createLastUsedWriter({ database, log })
  for (const id of [second, first]) writer.touchApiKey(id)
  let written: Promise<void> | undefined
  await database.withSession(async (session) => {
    await session.query('begin')
    await session.query('select from identity_api_keys where id = $1 for no key update', [first])
    written = writer.flush()
    await eventually(async () => {
      const [row] = await database.query<{ isBlocked: boolean }>(`
        select exists (
          select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
        ) as "isBlocked"
      `)
      return row?.isBlocked
    })
    const free = 'select from identity_api_keys where id = $1 for no key update skip locked'
    expect(await session.query(free, [second])).toHaveLength(1)
    await session.query('rollback')
  })
  await written
})
