import type { Database } from '#kernel/database'

/** Copies per statement: a smaller transaction leaves less to write at once. */
const perStatement = 20_000

/** Every table that has rows of a suspended execution. Each copy is of an account of its own hundred. */
const copyStatements = [
  `
    insert into engine_executions
    select copied.* from bench_copies as copy
    join engine_executions as original on original.id = $1
    cross join lateral jsonb_populate_record(
      null::engine_executions, to_jsonb(original) || jsonb_build_object('id', copy.id, 'account_id', copy.account_id)
    ) as copied
  `,
  `
    insert into engine_waits
    select copied.* from bench_copies as copy
    join engine_waits as original on original.execution_id = $1
    cross join lateral jsonb_populate_record(
      null::engine_waits,
      to_jsonb(original) || jsonb_build_object('id', gen_random_uuid(), 'execution_id', copy.id, 'account_id', copy.account_id)
    ) as copied
  `,
  `
    insert into engine_journal (execution_id, first_seq, entries)
    select copy.id, original.first_seq, original.entries
    from bench_copies as copy join engine_journal as original on original.execution_id = $1
  `,
]

/**
 * Stores copies of a suspended execution, as if each had been started and suspended. Returns the bytes that they take on disk, with their
 * indexes.
 */
export async function loadSuspended(database: Database, original: string, count: number): Promise<number> {
  await database.query('create table bench_copies (id uuid not null, account_id uuid not null)')
  const before = await sizeOf(database)
  for (let loaded = 0; loaded < count; loaded += perStatement) {
    await database.query('truncate bench_copies')
    await database.query(
      `
        insert into bench_copies
        select gen_random_uuid(), ('00000000-0000-7000-8000-' || lpad((nth % 100)::text, 12, '0'))::uuid
        from generate_series(1, $1::integer) as nth
      `,
      [Math.min(perStatement, count - loaded)],
    )
    for (const statement of copyStatements) await database.query(statement, [original])
  }
  await database.query('truncate bench_copies')
  await database.query('vacuum analyze engine_executions, engine_waits, engine_journal')
  const [row] = await database.query<{ suspended: number }>(
    `select count(*)::integer as suspended from engine_executions where work_state = 'suspended'`,
  )
  if (row?.suspended !== count + 1) throw new Error(`${row?.suspended} executions are suspended`)
  return (await sizeOf(database)) - before
}

async function sizeOf(database: Database): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(`
    select (
      pg_total_relation_size('engine_executions') + pg_total_relation_size('engine_waits')
      + pg_total_relation_size('engine_journal')
    )::float8 as bytes
  `)
  return row?.bytes ?? 0
}
