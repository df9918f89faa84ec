import type { Database } from '#kernel/database'
import {
  durationSql,
  type ExecutionFilter,
  type ListedState,
  listedStates,
  stateSql,
  writeFilter,
} from './execution-filter.ts'

/** Numbers of executions, for the filters of a list. */
export interface ExecutionCounts {
  readonly byState: Readonly<Record<ListedState, number>>
  /** The flows with the most executions. */
  readonly byFlow: readonly FlowCount[]
  /** The most frequent errors. */
  readonly byError: readonly { readonly code: string; readonly executions: number }[]
  /** More match than were counted. */
  readonly atLeast: boolean
}

interface FlowCount {
  readonly flowId: string
  /** The label of its current version. */
  readonly label: string
  readonly executions: number
  readonly failed: number
}

/** The counts read so many of the newest matches. */
const maxCounted = 10_000

/** Flows and errors that are counted by name. */
const maxNames = 8

/** One pass over the matches; grouping sets make the three lists of it. */
const statement = (where: string, ofDuration: string) => `
  with matching as materialized (
    select execution.flow_id, ${stateSql} as state, execution.error ->> 'code' as error_code, execution.status,
      ${ofDuration === 'true' ? 'null' : durationSql} as duration_ms
    from engine_executions as execution
    where ${where}
    order by execution.id desc limit ${maxCounted + 1}
  ),
  grouped as (
    select grouping(state) = 0 as by_state, grouping(flow_id) = 0 as by_flow, grouping(error_code) = 0 as by_error,
      coalesce(state, flow_id, error_code) as name, count(*) as executions, count(*) filter (where status = 'failed') as failed
    from matching where ${ofDuration}
    group by grouping sets ((state), (flow_id), (error_code))
  ),
  named as (
    select *, row_number() over (partition by by_flow, by_error order by executions desc, name) as place from grouped
  )
  select named.by_state, named.by_flow, named.name, named.executions, named.failed,
    case when named.by_flow then (
      select version.definition ->> 'label'
      from engine_flows as flow
      join engine_flow_versions as version on version.flow_id = flow.id and version.version = flow.current_version
      where flow.id = named.name
    ) end as label,
    (select count(*) from matching) > ${maxCounted} as at_least
  from named
  where (by_state or place <= ${maxNames}) and name is not null
  order by place
`

interface Row {
  readonly by_state: boolean
  readonly by_flow: boolean
  readonly name: string
  readonly executions: number
  readonly failed: number
  readonly label: string | null
  readonly at_least: boolean
}

/** Counts the newest matches by state, flow and error. */
export async function countExecutions(
  database: Pick<Database, 'query'>,
  filter: ExecutionFilter,
): Promise<ExecutionCounts> {
  const { where, ofDuration = 'true', values } = writeFilter(filter)
  const rows = await database.query<Row>(statement(where, ofDuration), values)
  const counts = new Map(
    rows.filter(({ by_state }) => by_state).map(({ name, executions }) => [name, executions]),
  )
  const byState = Object.fromEntries(listedStates.map((state) => [state, counts.get(state) ?? 0]))
  return {
    byState: byState as ExecutionCounts['byState'],
    byFlow: rows
      .filter(({ by_flow }) => by_flow)
      .map(({ name, label, executions, failed }) => ({
        flowId: name,
        label: label ?? name,
        executions,
        failed,
      })),
    byError: rows
      .filter(({ by_state, by_flow }) => !by_state && !by_flow)
      .map(({ name, executions }) => ({ code: name, executions })),
    atLeast: rows[0]?.at_least ?? false,
  }
}
