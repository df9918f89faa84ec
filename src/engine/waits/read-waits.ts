import { type Executor, runStatement } from '#kernel/work'
import type { ScopeRange } from '../store/read-open-outcomes.ts'
import type { WaitsSnapshot } from './execution-waits.ts'
import type { StoredWait } from './wait.ts'

interface WaitRow {
  readonly wakes: number
  /** Null: no wait matches. */
  readonly id: string | null
  readonly item: number
  readonly step_id: string
  readonly number: number
  readonly kind: StoredWait['kind']
  readonly wake_at: Date | null
  readonly state: StoredWait['state']
  readonly answer: string | null
  readonly answered_by: string | null
  readonly comment: string | null
  readonly closed_at: Date | null
  readonly created_at: Date
}

/** One snapshot: the waits that the number of wakes has counted are closed. */
const readStatement = (source: string, condition: string) => `
  select execution.wakes, wait.id, wait.item, wait.step_id, wait.number, wait.kind, wait.wake_at, wait.state, wait.answer,
    wait.answered_by, wait.comment, wait.closed_at, wait.created_at
  from engine_executions as execution
  left join ${source} as wait on wait.execution_id = execution.id and ${condition}
  where execution.id = $1
`

const closedStatement = readStatement('engine_waits', `wait.id = any($2::uuid[]) and wait.state <> 'open'`)

/** Of a step with an outcome, no wait is needed again. */
const hasNoOutcome = `
  not exists (
    select from engine_steps as step
    where step.execution_id = $1 and step.item = wait.item and step.step_id = wait.step_id
    offset 0
  )
`

const flatStatement = readStatement('engine_waits', hasNoOutcome)

/** Waits of steps of the flow itself, and of steps in open scopes. Each is looked up by an index, as in `read-open-outcomes.ts`. */
const nestedStatement = `
  with recursive
  items (item) as (
    (select item from engine_waits where execution_id = $1 order by item limit 1)
    union all
    select next.item from items
    cross join lateral (
      select item from engine_waits where execution_id = $1 and item > items.item order by item limit 1
    ) as next
  ),
  waits as (
    select wait.* from items
    cross join lateral (
      select * from engine_waits where execution_id = $1 and item = items.item and step_id = any($2::text[]) offset 0
    ) as wait
    union all
    select wait.* from unnest($3::integer[], $4::text[], $5::integer[], $6::integer[]) as range (item, container, first, last)
    cross join lateral generate_series(range.first, range.last) as nth
    cross join lateral (
      select * from engine_waits
      where execution_id = $1 and item = range.item and position('/' in step_id) > 0
        and engine_scope_of(step_id) = range.container || nth || '/'
      offset 0
    ) as wait
  )
  ${readStatement('waits', hasNoOutcome)}
`

/** The waits of steps without an outcome, of a flow without containers. */
export async function readWaits(executor: Executor, executionId: string): Promise<WaitsSnapshot> {
  return snapshotOf(await runStatement<WaitRow>(executor, flatStatement, [executionId]))
}

/** The waits of steps without an outcome: of steps of the flow itself, and of those in open scopes. */
export async function readOpenWaits(
  executor: Executor,
  executionId: string,
  { steps, scopes }: { readonly steps: readonly string[]; readonly scopes: readonly ScopeRange[] },
): Promise<WaitsSnapshot> {
  const rows = await runStatement<WaitRow>(executor, nestedStatement, [
    executionId,
    steps,
    scopes.map(({ item }) => item),
    scopes.map(({ container }) => container),
    scopes.map(({ first }) => first),
    scopes.map(({ last }) => last),
  ])
  return snapshotOf(rows)
}

/** Those of the given waits that have been closed. */
export async function readClosedWaits(
  executor: Executor,
  executionId: string,
  ids: readonly string[],
): Promise<WaitsSnapshot> {
  return snapshotOf(await runStatement<WaitRow>(executor, closedStatement, [executionId, ids]))
}

function snapshotOf(rows: readonly WaitRow[]): WaitsSnapshot {
  return {
    wakes: rows[0]?.wakes ?? 0,
    waits: rows.flatMap(({ id, step_id: stepId, wake_at: wakeAt, answered_by: answeredBy, ...row }) =>
      id === null
        ? []
        : [
            {
              id,
              item: row.item,
              stepId,
              number: row.number,
              kind: row.kind,
              wakeAt,
              state: row.state,
              answer: row.answer === null ? null : (JSON.parse(row.answer) as unknown),
              answeredBy,
              comment: row.comment,
              closedAt: row.closed_at,
              createdAt: row.created_at,
            },
          ],
    ),
  }
}

/** A reason why a step of an execution does not go on. */
export interface OpenWait {
  readonly id: string
  readonly stepId: string
  readonly item: number
  readonly kind: StoredWait['kind']
  readonly since: Date
  readonly until: Date | null
  /** The event it waits for; null for other kinds. */
  readonly event: { readonly name: string; readonly key: string } | null
}

/** SQL: the open waits of an `execution` as JSON, the next to end first. */
export const openWaitsColumn = `
    (
      select coalesce(json_agg(wait), '[]')
      from (
        select id, step_id, item, kind, created_at, wake_at, event_name, correlation_key
        from engine_waits
        where execution_id = execution.id and state = 'open' and execution.work_state <> 'finished'
        order by wake_at, item, step_id
        limit 100
      ) as wait
    )`

/** A wait of `openWaitsColumn`. */
export interface OpenWaitJson {
  readonly id: string
  readonly step_id: string
  readonly item: number
  readonly kind: StoredWait['kind']
  readonly created_at: string
  readonly wake_at: string | null
  readonly event_name: string | null
  readonly correlation_key: string | null
}

export function readOpenWait({ id, item, kind, wake_at: until, ...wait }: OpenWaitJson): OpenWait {
  const { event_name: name, correlation_key: key } = wait
  return {
    id,
    stepId: wait.step_id,
    item,
    kind,
    since: new Date(wait.created_at),
    until: until === null ? null : new Date(until),
    event: name === null || key === null ? null : { name, key },
  }
}
