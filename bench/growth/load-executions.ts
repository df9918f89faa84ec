import type { Database, Session } from '#kernel/database'

const flows = 20
const accounts = 200
/** The executions are spread over this time. */
export const loadedDays = 30
const chunk = 50_000

/** Ends that the roller adds up: their buckets of time are full long before. Every one of ten million would take hours. */
const maxRolled = 50_000

/** The columns that differ between an execution and its copies; the others are copied. */
const ofExecutions: Readonly<Record<string, string>> = {
  id: 'copy.id',
  flow_id: 'copy.flow_id',
  account_id: 'copy.account_id',
  status: 'copy.status',
  error: `case when copy.status = 'failed' then '{"code": "PROVIDER_UNAVAILABLE", "message": "No provider answered."}'::jsonb end`,
  facts: `(original.facts::jsonb || jsonb_build_object('flow_id', copy.flow_id, 'account_id', copy.account_id, 'status', copy.status,
    'error_code', case when copy.status = 'failed' then 'PROVIDER_UNAVAILABLE' end, 'finished_at', copy.at))::json`,
  created_at: 'copy.at',
  started_at: 'copy.at',
  finished_at: 'copy.at',
}

const ofRows: Readonly<Record<string, string>> = { execution_id: 'copy.id' }

/** Evenly over the last thirty days, oldest first, as they would have been stored. One in twelve failed. */
const copiesStatement = `
  insert into bench_copies
  select uuidv7(at - now()), 'growth_' || number % ${flows}, lpad((number % ${accounts})::text, 32, '0')::uuid,
    case when number % 12 = 0 then 'failed' else 'completed' end, at, number % $4 = 0
  from generate_series($1::bigint, $2::bigint) as number
  cross join lateral (select now() - ${loadedDays} * interval '1 day' * (1 - number::double precision / $3) as at) as moment
`

/** The account of every two hundredth execution. */
export const exampleAccount = `00000000-0000-0000-0000-${'1'.padStart(12, '0')}`

/** Stores copies of an execution that has ended, with its steps and events, and rolls a part of them up. */
export async function loadExecutions(
  database: Database,
  { original, count, roll }: { original: string; count: number; roll: () => Promise<unknown> },
): Promise<void> {
  const rolledOneIn = Math.max(1, Math.ceil(count / maxRolled))
  await database.withSession(async (session) => {
    await session.query('set synchronous_commit = off; set statement_timeout = 0')
    await addFlows(session, original)
    await session.query(`
      create temporary table bench_copies (id uuid, flow_id text, account_id uuid, status text, at timestamptz, rolled boolean)
    `)
    const statements = [
      await copyStatement(session, 'engine_executions', 'id', ofExecutions),
      await copyStatement(session, 'engine_steps', 'execution_id', ofRows),
      await copyStatement(session, 'engine_journal', 'execution_id', ofRows),
    ]
    for (let from = 1; from <= count; from += chunk) {
      await session.query('truncate bench_copies')
      await session.query(copiesStatement, [from, Math.min(count, from + chunk - 1), count, rolledOneIn])
      for (const statement of statements) await session.query(statement, [original])
      await session.query(
        'insert into engine_finished (execution_id) select id from bench_copies where rolled',
      )
    }
    // A roll takes at most 20 s.
    while (await isAnyWaiting(session)) await roll()
    await session.query('vacuum analyze')
    await session.query('checkpoint')
  })
}

async function isAnyWaiting(session: Session): Promise<boolean> {
  const [row] = await session.query<{ waiting: boolean }>(
    'select exists (select from engine_finished) as waiting',
  )
  return row?.waiting ?? false
}

async function addFlows(session: Session, original: string): Promise<void> {
  await session.query(
    `
      with new as (
        insert into engine_flows (id, current_version)
        select 'growth_' || number, flow_version from engine_executions, generate_series(0, ${flows - 1}) as number where id = $1
        returning id, current_version
      )
      insert into engine_flow_versions (flow_id, version, definition, metadata)
      select new.id, new.current_version, version.definition || jsonb_build_object('id', new.id), version.metadata
      from new, engine_executions as execution
      join engine_flow_versions as version on version.flow_id = execution.flow_id and version.version = execution.flow_version
      where execution.id = $1
    `,
    [original],
  )
}

/** Copies the rows of the original in a table once for each row of `bench_copies`. */
async function copyStatement(
  session: Session,
  table: string,
  key: string,
  changed: Readonly<Record<string, string>>,
): Promise<string> {
  const rows = await session.query<{ name: string }>(
    'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped',
    [table],
  )
  const names = rows.map(({ name }) => name)
  return `
    insert into ${table} (${names.join(', ')})
    select ${names.map((name) => changed[name] ?? `original.${name}`).join(', ')}
    from bench_copies as copy join ${table} as original on original.${key} = $1
    order by copy.at
  `
}
