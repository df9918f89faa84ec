import type { Database } from '#kernel/database'
import type { Priority } from '../execution/input.ts'
import {
  durationSql,
  type ExecutionFilter,
  type ExecutionTrigger,
  type FilterSql,
  type ListedState,
  stateSql,
  triggerSql,
  writeFilter,
} from './execution-filter.ts'
import type { Queryable } from './queryable.ts'
import type { StoredExecution } from './read-execution.ts'

export const executionSorts = ['created', 'duration', 'cost'] as const

/** A page of a list of executions. */
export interface ExecutionListing extends ExecutionFilter {
  readonly order: 'oldest' | 'newest'
  /** Other than `created`: sorts the newest `maxSorted` matches, from the highest value with the order `newest`. */
  readonly sort?: (typeof executionSorts)[number] | undefined
  readonly limit: number
  readonly offset: number
}

/** An execution in a list. */
export interface ExecutionListEntry {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly flowLabel: string
  readonly accountId: string
  readonly trigger: ExecutionTrigger
  /** The schedule that started it. */
  readonly scheduleId: string | null
  /** The trigger that started it. */
  readonly triggerId: string | null
  /** The execution that it runs again. */
  readonly rerunOf: string | null
  /** The execution whose outcomes it reuses. */
  readonly forkedFrom: string | null
  readonly status: StoredExecution['status']
  readonly state: ListedState
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
  /** Whether the limits of its flow keep it back. */
  readonly gated: boolean
  readonly items: number
  readonly stepsTotal: number
  readonly stepsOver: number
  /** Attempts of steps after their first; null until it ends. */
  readonly retries: number | null
  /** Tokens of all model calls; null until it ends. */
  readonly tokens: number | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  /** From its creation to its first start; null until it ends, or when it never started. */
  readonly queuedMs: number | null
  /** How long workers executed it; null until it ends, or when it never started. */
  readonly durationMs: number | null
  readonly finishedAt: Date | null
}

export interface ExecutionPage {
  readonly executions: readonly ExecutionListEntry[]
  readonly total: number
  /** There are more than `total`. */
  readonly atLeast: boolean
  /** More match than were sorted: the number of the newest ones that were. */
  readonly sortedAmong: number | null
  /** The newest matching id: pass it as `asOf` for the next pages. */
  readonly asOf: string | null
}

/** Sorting by anything but the time, and counting, read so many executions: the response time must not grow with what is stored. */
const maxSorted = 10_000

/** The ids of a page. Ids are UUIDv7, so their order is the order of creation. */
function pageStatement({ where, ofDuration }: FilterSql, listing: Paging): string {
  const { order, sort = 'created', among = maxSorted } = listing
  const direction = order === 'newest' ? 'desc' : 'asc'
  if (sort === 'created' && ofDuration === undefined) {
    return `
      select execution.id, null::double precision as value from engine_executions as execution
      where ${where}
      order by execution.id ${direction} limit ${listing.limit} offset ${listing.offset}
    `
  }
  const value = {
    created: 'null::double precision',
    duration: 'duration_ms',
    cost: 'spent::double precision',
  }
  return `
    select id, ${value[sort]} as value
    from (
      select execution.id, execution.spent, ${durationSql} as duration_ms from engine_executions as execution
      where ${where}
      order by execution.id desc limit ${among}
    ) as newest
    where ${ofDuration ?? 'true'}
    order by ${sort === 'created' ? '' : `value ${direction} nulls last,`} id ${direction} limit ${listing.limit} offset ${listing.offset}
  `
}

/** The sums over the steps of an execution that has ended. */
const sumOfSteps = (of: string) => `(
  select sum(${of})
  from json_to_recordset(execution.facts -> 'steps') as step (count integer, attempts integer, input_tokens bigint, output_tokens bigint)
)::double precision`

/** The entries of the executions with the ids of `page`. */
const entries = `
  select execution.id, execution.flow_id, execution.flow_version, version.definition ->> 'label' as flow_label, execution.account_id,
    ${triggerSql} as trigger, execution.schedule_id, execution.trigger_id, execution.rerun_of, execution.forked_from,
    execution.status, ${stateSql} as state, execution.priority,
    execution.error ->> 'code' as error_code, execution.error ->> 'message' as error_message, execution.spent,
    coalesce((execution.facts ->> 'unpriced')::boolean, false) as unpriced, execution.approval,
    execution.work_state = 'suspended' as suspended, execution.work_state = 'gated' as gated,
    coalesce(jsonb_array_length(execution.input -> 'batch' -> 'items'), 0) as items,
    jsonb_array_length(version.definition -> 'steps') as steps,
    (
      select count(*) from engine_steps as step where step.execution_id = execution.id and position('/' in step.step_id) = 0
    ) as steps_over,
    ${sumOfSteps('greatest(0, coalesce(step.attempts, 0) - step.count)')} as retries,
    ${sumOfSteps('coalesce(step.input_tokens, 0) + coalesce(step.output_tokens, 0)')} as tokens,
    execution.created_at, execution.started_at, (execution.facts ->> 'queued_ms')::double precision as queued_ms,
    ${durationSql} as duration_ms, execution.finished_at
  from page
  join engine_executions as execution on execution.id = page.id
  join engine_flow_versions as version on version.flow_id = execution.flow_id and version.version = execution.flow_version
`

type Paging = Pick<ExecutionListing, 'order' | 'sort' | 'limit' | 'offset'> & {
  /** How many of the newest matches are sorted, or compared by their duration. */
  readonly among?: number
}

interface Row {
  readonly id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly flow_label: string
  readonly account_id: string
  readonly trigger: ExecutionTrigger
  readonly schedule_id: string | null
  readonly trigger_id: string | null
  readonly rerun_of: string | null
  readonly forked_from: string | null
  readonly status: StoredExecution['status']
  readonly state: ListedState
  readonly priority: Priority
  readonly error_code: string | null
  readonly error_message: string | null
  readonly spent: number
  readonly unpriced: boolean
  readonly approval: StoredExecution['approval']
  readonly suspended: boolean
  readonly gated: boolean
  readonly items: number
  readonly steps: number
  readonly steps_over: number
  readonly retries: number | null
  readonly tokens: number | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly queued_ms: number | null
  readonly duration_ms: number | null
  readonly finished_at: Date | null
}

/** Reads a page of executions, without counting the matches. */
export async function readListedExecutions(
  database: Queryable,
  filter: ExecutionFilter & Paging,
): Promise<readonly ExecutionListEntry[]> {
  const sql = writeFilter(filter)
  const direction = filter.order === 'newest' ? 'desc' : 'asc'
  const rows = await database.query<Row>(
    `
      with page as materialized (${pageStatement(sql, filter)})
      ${entries}
      order by page.value ${direction} nulls last, page.id ${direction}
    `,
    sql.values,
  )
  return rows.map(readEntry)
}

/** Reads a page of executions, and the number of those that match, up to `maxSorted`. */
export async function listExecutions(
  database: Pick<Database, 'query'>,
  listing: ExecutionListing,
): Promise<ExecutionPage> {
  const { sort = 'created' } = listing
  const sorts =
    sort !== 'created' || listing.minDurationMs !== undefined || listing.maxDurationMs !== undefined
  const [executions, counted] = await Promise.all([
    readListedExecutions(database, listing),
    countMatches(database, listing, maxSorted),
  ])
  return {
    executions,
    total: counted.total,
    atLeast: counted.isCut && !sorts,
    sortedAmong: sorts && counted.isCut ? maxSorted : null,
    asOf: counted.asOf,
  }
}

interface Matches {
  readonly total: number
  readonly asOf: string | null
  /** There are more matches than were counted. */
  readonly isCut: boolean
}

/** Counts the newest executions that match, at most so many. */
export async function countMatches(
  database: Pick<Database, 'query'>,
  filter: ExecutionFilter,
  max: number,
): Promise<Matches> {
  // The pages of a list count everything that its first page has found.
  const { where, ofDuration = 'true', values } = writeFilter({ ...filter, before: undefined })
  const [row] = await database.query<{ total: number; as_of: string | null; read: number }>(
    `
      select count(*) filter (where ${ofDuration}) as total, count(*) as read,
        (select execution.id from engine_executions as execution where ${where} order by execution.id desc limit 1) as as_of
      from (
        select execution.id, ${ofDuration === 'true' ? 'null' : durationSql} as duration_ms from engine_executions as execution
        where ${where}
        order by execution.id desc limit ${max + 1}
      ) as matching
    `,
    values,
  )
  const isCut = (row?.read ?? 0) > max
  return {
    total: isCut ? Math.min(row?.total ?? 0, max) : (row?.total ?? 0),
    asOf: row?.as_of ?? null,
    isCut,
  }
}

function readEntry(row: Row): ExecutionListEntry {
  return {
    id: row.id,
    flowId: row.flow_id,
    flowVersion: row.flow_version,
    flowLabel: row.flow_label,
    accountId: row.account_id,
    trigger: row.trigger,
    scheduleId: row.schedule_id,
    triggerId: row.trigger_id,
    rerunOf: row.rerun_of,
    forkedFrom: row.forked_from,
    status: row.status,
    state: row.state,
    priority: row.priority,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    spent: row.spent,
    unpriced: row.unpriced,
    approval: row.approval,
    suspended: row.suspended,
    gated: row.gated,
    items: row.items,
    stepsTotal: row.steps * Math.max(1, row.items),
    stepsOver: row.steps_over,
    retries: row.retries,
    tokens: row.tokens,
    createdAt: row.created_at,
    startedAt: row.started_at,
    queuedMs: row.queued_ms,
    durationMs: row.duration_ms,
    finishedAt: row.finished_at,
  }
}
