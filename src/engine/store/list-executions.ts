import type { Database } from '#kernel/database'
import type { Priority } from '../execution/input.ts'
import type { StoredExecution } from './read-execution.ts'

export interface ExecutionFilter {
  readonly accountId?: string | undefined
  readonly status?: StoredExecution['status'] | undefined
  /** Whether it only waits. */
  readonly suspended?: boolean | undefined
  readonly flowId?: string | undefined
  /** Started by this schedule. */
  readonly scheduleId?: string | undefined
  /** Started by this trigger. */
  readonly triggerId?: string | undefined
  readonly priority?: Priority | undefined
  /** Created at or after. */
  readonly since?: Date | undefined
  /** Created before. */
  readonly until?: Date | undefined
  /** A prefix of the id. */
  readonly search?: string | undefined
  /** Excludes executions after this id, so that new ones do not shift the pages. */
  readonly asOf?: string | undefined
  readonly order: 'oldest' | 'newest'
  readonly limit: number
  readonly offset: number
}

/** An execution in a list. */
interface ExecutionListEntry {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly flowLabel: string
  readonly accountId: string
  /** The schedule that started it. */
  readonly scheduleId: string | null
  /** The trigger that started it. */
  readonly triggerId: string | null
  /** The execution that it runs again. */
  readonly rerunOf: string | null
  readonly status: StoredExecution['status']
  readonly priority: Priority
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** Whole micro-dollars. */
  readonly spent: number
  /** Whether a model without a price was used; false until the execution ends. */
  readonly unpriced: boolean
  readonly approval: StoredExecution['approval']
  /** Whether it only waits. */
  readonly suspended: boolean
  readonly items: number
  readonly stepsTotal: number
  readonly stepsOver: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  /** How long workers executed it; null until it ends, or when it never started. */
  readonly durationMs: number | null
  readonly finishedAt: Date | null
}

export interface ExecutionPage {
  readonly executions: readonly ExecutionListEntry[]
  readonly total: number
  /** The newest matching id: pass it as `asOf` for the next pages. */
  readonly asOf: string | null
}

/** Ids are UUIDv7, so their order is the order of creation. */
const matches = `
  ($1::uuid is null or execution.account_id = $1)
  and ($2::text is null or execution.status = $2)
  and ($3::text is null or execution.flow_id = $3)
  and ($4::text is null or execution.priority = $4)
  and ($5::timestamptz is null or execution.created_at >= $5)
  and ($6::timestamptz is null or execution.created_at < $6)
  and ($7::text is null or starts_with(execution.id::text, $7))
  and ($8::uuid is null or execution.id <= $8)
  and ($9::uuid is null or execution.schedule_id = $9)
  and ($10::uuid is null or execution.trigger_id = $10)
  and ($11::boolean is null or (execution.work_state = 'suspended') = $11)
`

const countStatement = `
  select count(*) as total,
    (select execution.id from engine_executions as execution where ${matches} order by execution.id desc limit 1) as as_of
  from engine_executions as execution
  where ${matches}
`

const pageStatement = (direction: 'asc' | 'desc') => `
  with page as materialized (
    select * from engine_executions as execution
    where ${matches}
    order by execution.id ${direction} limit $12 offset $13
  )
  select page.id, page.flow_id, page.flow_version, version.definition ->> 'label' as flow_label, page.account_id, page.schedule_id,
    page.trigger_id, page.rerun_of, page.status,
    page.priority, page.error ->> 'code' as error_code, page.error ->> 'message' as error_message, page.spent,
    coalesce((page.facts ->> 'unpriced')::boolean, false) as unpriced, page.approval,
    page.work_state = 'suspended' as suspended,
    coalesce(jsonb_array_length(page.input -> 'batch' -> 'items'), 0) as items,
    jsonb_array_length(version.definition -> 'steps') as steps,
    (
      select count(*) from engine_steps as step where step.execution_id = page.id and position('/' in step.step_id) = 0
    ) as steps_over,
    page.created_at, page.started_at, (page.facts ->> 'duration_ms')::double precision as duration_ms, page.finished_at
  from page
  join engine_flow_versions as version on version.flow_id = page.flow_id and version.version = page.flow_version
  order by page.id ${direction}
`

interface Row {
  readonly id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly flow_label: string
  readonly account_id: string
  readonly schedule_id: string | null
  readonly trigger_id: string | null
  readonly rerun_of: string | null
  readonly status: StoredExecution['status']
  readonly priority: Priority
  readonly error_code: string | null
  readonly error_message: string | null
  readonly spent: number
  readonly unpriced: boolean
  readonly approval: StoredExecution['approval']
  readonly suspended: boolean
  readonly items: number
  readonly steps: number
  readonly steps_over: number
  readonly created_at: Date
  readonly started_at: Date | null
  readonly duration_ms: number | null
  readonly finished_at: Date | null
}

/** Reads a page of executions, and the number of all that match. */
export async function listExecutions(
  database: Pick<Database, 'query'>,
  filter: ExecutionFilter,
): Promise<ExecutionPage> {
  const parameters = [
    filter.accountId ?? null,
    filter.status ?? null,
    filter.flowId ?? null,
    filter.priority ?? null,
    filter.since ?? null,
    filter.until ?? null,
    filter.search?.toLowerCase() ?? null,
    filter.asOf ?? null,
    filter.scheduleId ?? null,
    filter.triggerId ?? null,
    filter.suspended ?? null,
  ]
  const [rows, [counted]] = await Promise.all([
    database.query<Row>(pageStatement(filter.order === 'newest' ? 'desc' : 'asc'), [
      ...parameters,
      filter.limit,
      filter.offset,
    ]),
    database.query<{ total: number; as_of: string | null }>(countStatement, parameters),
  ])
  return { executions: rows.map(readEntry), total: counted?.total ?? 0, asOf: counted?.as_of ?? null }
}

function readEntry(row: Row): ExecutionListEntry {
  return {
    id: row.id,
    flowId: row.flow_id,
    flowVersion: row.flow_version,
    flowLabel: row.flow_label,
    accountId: row.account_id,
    scheduleId: row.schedule_id,
    triggerId: row.trigger_id,
    rerunOf: row.rerun_of,
    status: row.status,
    priority: row.priority,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    spent: row.spent,
    unpriced: row.unpriced,
    approval: row.approval,
    suspended: row.suspended,
    items: row.items,
    stepsTotal: row.steps * Math.max(1, row.items),
    stepsOver: row.steps_over,
    createdAt: row.created_at,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    finishedAt: row.finished_at,
  }
}

/** The summary of one of the newest executions of a flow. */
export interface LatestRun {
  readonly flowId: string
  readonly id: string
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  readonly startedAt: Date | null
  /** How long workers executed it; null until it ends, or when it never started. */
  readonly durationMs: number | null
  readonly finishedAt: Date | null
  readonly createdAt: Date
  /** Whole micro-dollars. */
  readonly spent: number
}

interface LatestFilter {
  /** Undefined: executions of all accounts. */
  readonly accountId: string | undefined
  /** Executions per flow. */
  readonly count: number
}

/** The executions of one account are searched among this many of a flow: other accounts may use the flow a lot. */
const maxScanned = 200

/** Reads the newest executions of each flow, the newest first. */
export async function readLatestRuns(
  database: Pick<Database, 'query'>,
  flowIds: readonly string[],
  { accountId, count }: LatestFilter,
): Promise<readonly LatestRun[]> {
  return await database.query<LatestRun>(
    `
      select flow.id as "flowId", run.id, run.status, run.started_at as "startedAt", run.finished_at as "finishedAt",
        (run.facts ->> 'duration_ms')::double precision as "durationMs", run.created_at as "createdAt", run.spent
      from unnest($1::text[]) as flow (id)
      cross join lateral (
        select recent.*
        from (
          select id, account_id, status, started_at, finished_at, facts, created_at, spent
          from engine_executions
          where flow_id = flow.id
          order by id desc
          limit ${maxScanned}
        ) as recent
        where $2::uuid is null or recent.account_id = $2
        order by recent.id desc
        limit $3
      ) as run
      order by flow.id, run.id desc
    `,
    [flowIds, accountId ?? null, count],
  )
}
