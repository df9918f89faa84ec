import type { Database } from '#kernel/database'
import { type Events, eventPartitions } from '#kernel/events'
import { createPartitionTask, firstIdAt, type RetainedTable } from '#kernel/partitions'
import { createRetentionTask } from '../../src/engine/retention/retention.ts'
import { createCallPartitions, pruneCalls } from '../../src/models/maintenance-tasks.ts'
import { quiet } from '../embedded-database.ts'
import { loadedDays } from '../growth/load-executions.ts'

/** What retention deletes of a table in one measurement. */
export interface Deletion {
  readonly name: string
  /** Adds the rows that are deleted next, unless they exist. */
  readonly prepare: () => Promise<unknown>
  readonly run: () => Promise<unknown>
  /** Rows to be counted before and after. */
  readonly table: string
}

const dayMs = 86_400_000
const share = 1 / 20
const rows = 100_000
const keptMs = 90 * dayMs
const signal = new AbortController().signal

async function maintain(database: Database, retained: RetainedTable): Promise<void> {
  await createPartitionTask({ database, log: quiet, tables: [retained] }).run(signal)
}

async function addOldEvents(database: Database): Promise<void> {
  // Old events have low ids; those of the platform itself would be older than them here.
  await database.query('truncate kernel_events')
  await database.query(
    `
      with clock as (update kernel_event_clock set last_id = last_id + $1 returning last_id - $1 as before)
      insert into kernel_events (id, type, subject, account, data, created_at)
      select before + n, 'bench.told', gen_random_uuid(), n % 200, jsonb_build_object('text', repeat('x', 200)), now() - interval '100 days'
      from clock, generate_series(1, $1::integer) as n
    `,
    [rows],
  )
}

async function addOldCalls(database: Database): Promise<void> {
  await database.query(
    `
    insert into model_calls (id, account_id, source, provider, model, requested_model, started_at, input_tokens, output_tokens,
      price_source, estimated, latency_ms, outcome, cache_hit, attempts)
    select uuidv7(interval '-100 days'), n % 200, 'gateway', 'openai', 'a-model', 'a-model', now() - interval '100 days', 100, 100,
      'none', false, 1000, 'answered', false, 1
    from generate_series(1, $1::integer) as n
  `,
    [rows],
  )
}

/** The end of the partition of old calls, the same in each round. */
const oldCallsEnd = firstIdAt(new Date(Date.now() - keptMs - dayMs))

/** The first partition of a new database has all old calls, and those of today. */
async function addPartitionOfOldCalls(database: Database): Promise<void> {
  await database.withSession(async (session) => {
    const [first] = await session.query<{ name: string; end: string }>(`
      select child.relname as name, substring(bound from 'TO \\(''(.*)''\\)') as end
      from pg_inherits join pg_class as child on child.oid = inhrelid, pg_get_expr(relpartbound, child.oid) as bound
      where inhparent = 'model_calls'::regclass and bound like '%FROM (MINVALUE)%'
    `)
    if (first !== undefined) {
      await session.query(`
        drop table ${first.name};
        create table ${first.name} partition of model_calls for values from ('${oldCallsEnd}') to ('${first.end}');
      `)
    }
    await session.query(
      `create table model_calls_old partition of model_calls for values from (minvalue) to ('${oldCallsEnd}')`,
    )
  })
}

export function createDeletions(database: Database, events: Pick<Events, 'prune'>): readonly Deletion[] {
  let keptDays = loadedDays
  return [
    {
      name: 'executions are deleted',
      table: 'engine_executions',
      prepare: async () => undefined,
      async run() {
        keptDays -= loadedDays * share
        const settings = { executionRetentionMs: keptDays * dayMs }
        await createRetentionTask({ database, log: quiet, settings }).run(signal)
      },
    },
    {
      name: 'events are deleted',
      table: 'kernel_events',
      prepare: () => addOldEvents(database),
      run: () => events.prune({ olderThan: new Date(Date.now() - keptMs) }),
    },
    {
      name: 'events are dropped with their partition',
      table: 'kernel_events',
      async prepare() {
        await addOldEvents(database)
        // The ids go on beyond all partitions, as if these were full.
        await database.query('update kernel_event_clock set last_id = last_id + 100000000')
      },
      run: () => maintain(database, { table: eventPartitions, retentionMs: () => keptMs }),
    },
    {
      name: 'calls are deleted',
      table: 'model_calls',
      prepare: () => addOldCalls(database),
      run: () => pruneCalls(database, { olderThan: new Date(Date.now() - keptMs) }),
    },
    {
      name: 'calls are dropped with their partition',
      table: 'model_calls',
      async prepare() {
        await addPartitionOfOldCalls(database)
        await addOldCalls(database)
      },
      run: () => maintain(database, createCallPartitions({ callRetentionMs: keptMs })),
    },
  ]
}
