import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Session } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { runStatement } from '#kernel/work'
import { openGate } from '../../src/engine/gates/open-gate.ts'
import type { Commit } from '../../src/engine/store/commit.ts'
import { type CommitWriter, createCommitWriter } from '../../src/engine/store/commit-writer.ts'
import { closeWaits } from '../../src/engine/waits/close-waits.ts'
import { openWaits } from '../../src/engine/waits/waits.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let database: TestDatabase
let commits: CommitWriter

beforeAll(async () => {
  database = await createTestDatabase()
  commits = createCommitWriter(database, { store: async (_, output) => output })
})

afterAll(async () => {
  await commits[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const workerId = randomUUID()

/** Executions that a worker has leased, in the order of their ids. They were stored in the opposite order. */
async function addExecutions(count: number, workState = 'running'): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => randomUUID()).sort()
  for (const id of ids.toReversed()) {
    await database.query(
      `
        insert into engine_executions (id, flow_id, flow_version, account_id, status, input, started_at, work_state, work_worker, work_fence)
        values ($1, 'flow', 1, $2, $3, '{"context": {}, "options": {}, "memory": {}}', now(), $4, $5, 1)
      `,
      [
        id,
        randomUUID(),
        workState === 'finished' ? 'completed' : 'running',
        workState,
        workState === 'running' ? workerId : null,
      ],
    )
  }
  return ids
}

/** Open waits, one for each execution. */
async function addWaits(executionIds: readonly string[]): Promise<readonly string[]> {
  const ids = executionIds.map(() => randomUUID())
  await database.query(
    `
      insert into engine_waits (id, execution_id, item, step_id, number, account_id, kind, wake_at, request, created_at)
      select id, execution_id, 0, 'rest', 1, gen_random_uuid(), 'human', now() + interval '1 day', '{}', now()
      from unnest($1::uuid[], $2::uuid[]) as it (id, execution_id)
    `,
    [ids, executionIds],
  )
  return ids
}

const endFacts = {} as NonNullable<Commit['end']>['facts']

/** One commit for each variant of the statement. */
const changes: Readonly<Record<string, Partial<Commit>>> = {
  changes: { spent: 1 },
  'ends and removes outputs': {
    end: { status: 'cancelled', error: null, finishedAt: new Date(), facts: endFacts, counted: false },
  },
  suspends: { suspension: { wakes: 0, at: new Date() } },
}

/** Commits that are written in one batch, in this order. */
function write(ids: readonly string[], change: Partial<Commit> = { spent: 1 }) {
  return Promise.all(
    ids.map((executionId) =>
      commits.write({
        executionId,
        workerId,
        fence: 1,
        begins: false,
        startedAt: new Date(),
        isBatch: false,
        hasSubscribers: false,
        steps: [],
        events: [],
        spent: 0,
        reserved: 0,
        ...change,
      }),
    ),
  )
}

async function lock(session: Session, id: string): Promise<void> {
  await session.query('select from engine_executions where id = $1 for no key update', [id])
}

async function isFree(session: Session, id: string, table = 'engine_executions'): Promise<boolean> {
  const rows = await session.query(`select from ${table} where id = $1 for no key update skip locked`, [id])
  return rows.length === 1
}

async function untilBlocked(count: number): Promise<void> {
  await eventually(async () => {
    const [row] = await database.query<{ count: number }>(
      `
        select count(*)::integer as count from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()
      `,
    )
    return row?.count === count
  }, 2)
}

/** Runs `work` while another transaction has locked an execution. */
async function whileLocked(id: string, work: (session: Session) => Promise<void>): Promise<void> {
  await database.withSession(async (session) => {
    await session.query('begin')
    await lock(session, id)
    await work(session)
    await session.query('rollback')
  })
}

describe('rows of several executions are locked in the order of their ids', () => {
  test.each(Object.entries(changes))('by a batch of commits, of which one %s', async (_, change) => {
    const [first = '', second = ''] = await addExecutions(2)
    let written: ReturnType<typeof write> | undefined
    await whileLocked(first, async (session) => {
      written = write([second, first], change)
      await untilBlocked(1)
      expect(await isFree(session, second)).toBe(true)
    })
    expect(await written).toMatchObject([{ written: true }, { written: true }])
  })

  test('by an event for all of them', async () => {
    const ids = await addExecutions(2)
    const [first = '', second = ''] = ids
    const waits = await addWaits(ids)
    let closed: ReturnType<typeof closeWaits> | undefined
    await whileLocked(first, async (session) => {
      closed = closeWaits(database, waits.toReversed(), { state: 'answered' })
      await untilBlocked(1)
      expect(await isFree(session, second)).toBe(true)
    })
    expect(await closed).toHaveLength(2)
  })

  test('by the gate of a flow', async () => {
    const ids = await addExecutions(2, 'gated')
    const [first = '', second = ''] = ids
    let opened: ReturnType<typeof openGate> | undefined
    await whileLocked(first, async (session) => {
      opened = database.transaction(async (transaction) => {
        // The plan that reads the rows in the order in which they are stored.
        await runStatement(transaction, 'set local enable_indexscan = off', [])
        await runStatement(transaction, 'set local enable_bitmapscan = off', [])
        return await openGate(transaction, { flowId: 'flow', concurrencyKey: null })
      })
      await untilBlocked(1)
      expect(await isFree(session, second)).toBe(true)
    })
    expect((await opened)?.passed.toSorted()).toEqual(ids)
  })
})

test('an event and a batch of commits for the same executions do not deadlock', async () => {
  const ids = await addExecutions(2)
  const [first = ''] = ids
  const waits = await addWaits(ids)
  let results: Promise<unknown[]> | undefined
  await whileLocked(first, async () => {
    const closed = closeWaits(database, waits, { state: 'answered' })
    await untilBlocked(1)
    // The event gets the first execution before the batch does.
    const written = write(ids.toReversed())
    results = Promise.all([closed, written])
    results.catch(() => {})
    await untilBlocked(2)
  })
  expect(await results).toMatchObject([
    [{}, {}],
    [{ written: true }, { written: true }],
  ])
})

test('a batch of commits that PostgreSQL ends because of a deadlock is written again', async () => {
  const ids = await addExecutions(3)
  const [first = '', second = '', third = ''] = ids
  let written: ReturnType<typeof write> | undefined
  await database.withSession(async (other) => {
    // Only the connection of the batch looks for a deadlock, so the batch is what PostgreSQL ends.
    await other.query(`set deadlock_timeout = '1h'`)
    await other.query('begin')
    await lock(other, third)
    let locked: Promise<void> | undefined
    await whileLocked(second, async () => {
      written = write(ids)
      written.catch(() => {})
      await untilBlocked(1)
      locked = lock(other, first)
      await untilBlocked(2)
    })
    await locked
    await other.query('rollback')
  })
  expect(await written).toMatchObject(ids.map(() => ({ written: true })))
})

test('waits of ended executions are cancelled without waiting for one that is locked', async () => {
  const [locked = '', free = ''] = await addWaits(await addExecutions(2, 'finished'))
  await using waits = openWaits({
    database,
    log: createLogger({ level: 'silent', format: 'json' }),
    promote: async () => {},
    openGate: () => {},
  })
  await database.withSession(async (session) => {
    await session.query('begin')
    expect(await isFree(session, locked, 'engine_waits')).toBe(true)
    await waits.task.run(new AbortController().signal)
    await session.query('rollback')
  })
  const rows = await database.query('select id, state from engine_waits where id = any($1::uuid[])', [
    [locked, free],
  ])
  expect(rows).toEqual(
    expect.arrayContaining([
      { id: locked, state: 'open' },
      { id: free, state: 'cancelled' },
    ]),
  )
})
