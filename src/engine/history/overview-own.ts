import { isDraft } from '../flows/drafts.ts'
import type { OverviewPeriod } from './buckets.ts'
import { type FailureGroup, type OverviewNumbers, rankFlows } from './overview-numbers.ts'
import { maxMessage } from './overview-recent.ts'
import type { RunQuery } from './read-sums.ts'

/** Durations, tokens and errors of an account are in no roll-up: they come from this many of its newest executions. */
const maxExecutions = 1000

interface OwnRow {
  readonly id: string
  readonly flow_id: string
  readonly work_state: string
  readonly needs_approval: boolean
  readonly status: string
  readonly code: string | null
  readonly message: string | null
  readonly created_at: Date
  readonly finished_at: Date | null
  readonly duration_ms: number | null
  readonly input_tokens: number
  readonly output_tokens: number
  readonly retries: number
}

const newestStatement = `
  with newest as materialized (
    select id, flow_id, work_state, coalesce(work_state = 'queued' and approval = 'pending', false) as needs_approval, status,
      error, facts, created_at, finished_at
    from engine_executions
    where account_id = $1
    order by id desc
    limit ${maxExecutions}
  )
  select newest.id, newest.flow_id, newest.work_state, newest.needs_approval, newest.status, newest.error ->> 'code' as code,
    left(newest.error ->> 'message', ${maxMessage}) as message, newest.created_at, newest.finished_at,
    (newest.facts ->> 'duration_ms')::double precision as duration_ms, steps.*
  from newest
  cross join lateral (
    select coalesce(sum(step.input_tokens), 0)::bigint as input_tokens,
      coalesce(sum(step.output_tokens), 0)::bigint as output_tokens,
      coalesce(sum(greatest(0, step.attempts - step.count)) filter (where step.state <> 'skipped'), 0)::bigint as retries
    from json_to_recordset(coalesce(newest.facts -> 'steps', '[]'))
      as step (state text, count bigint, attempts bigint, input_tokens bigint, output_tokens bigint)
  ) as steps
`

interface AccountSums {
  readonly at: Date
  readonly executions: number
  readonly completed: number
  readonly failed: number
  readonly spent: number
}

/** The numbers of one account: counts and cost from the roll-ups, the rest from its newest executions. */
export async function readOwn(
  run: RunQuery,
  period: OverviewPeriod,
  accountId: string,
): Promise<OverviewNumbers> {
  const sums = await run<AccountSums>(
    `
      select at, executions, completed, failed, spent
      from engine_history_accounts
      where flow_id = '*' and account_id = $1 and grain = $2 and at >= $3
    `,
    [accountId, period.grain, period.beforeFrom],
  )
  const read = await run<OwnRow>(newestStatement, [accountId])
  const isCut = read.length >= maxExecutions
  const oldest = Math.min(...read.map(({ created_at }) => created_at.getTime()))
  // Drafts count in no roll-up, so they do not count here either.
  const newest = read.filter(({ flow_id }) => !isDraft(flow_id))
  const ended = newest.filter(isEnded)
  const inPeriod = ended.filter(({ finished_at: at }) => at >= period.from)
  return {
    series: [
      ...sums.map((row) => ({
        ...row,
        cancelled: row.executions - row.completed - row.failed,
        inputTokens: 0,
        outputTokens: 0,
      })),
      ...ended
        .filter(({ finished_at: at }) => at >= period.beforeFrom)
        .map(({ finished_at: at, input_tokens: inputTokens, output_tokens: outputTokens }) => ({
          ...nothing,
          at,
          inputTokens,
          outputTokens,
        })),
    ],
    p95Ms: p95Of(inPeriod),
    retries: inPeriod.reduce((sum, { retries }) => sum + retries, 0),
    ...rankFlows(ranksOf(inPeriod)),
    failures: groupFailures(inPeriod),
    active: {
      running: newest.filter(({ work_state }) => work_state === 'running').length,
      queued: newest.filter((row) => row.work_state === 'queued' && !row.needs_approval).length,
      needsApproval: newest.filter((row) => row.needs_approval).length,
    },
    detailsFrom: isCut ? new Date(Math.max(oldest, period.from.getTime())) : period.from,
  }
}

const nothing = { executions: 0, completed: 0, failed: 0, cancelled: 0, spent: 0 }

type EndedRow = OwnRow & { readonly finished_at: Date }

function isEnded(row: OwnRow): row is EndedRow {
  return row.finished_at !== null
}

function durationsOf(rows: readonly OwnRow[]): readonly number[] {
  return rows.flatMap(({ status, duration_ms: ms }) => (status === 'completed' && ms !== null ? [ms] : []))
}

function p95Of(rows: readonly OwnRow[]): number | null {
  const durations = durationsOf(rows).toSorted((one, other) => one - other)
  return durations[Math.max(0, Math.ceil(durations.length * 0.95) - 1)] ?? null
}

function ranksOf(rows: readonly OwnRow[]) {
  return [...Map.groupBy(rows, ({ flow_id }) => flow_id)].map(([flowId, group]) => {
    const durations = durationsOf(group)
    return {
      flowId,
      executions: group.length,
      completed: group.filter(({ status }) => status === 'completed').length,
      failed: group.filter(({ status }) => status === 'failed').length,
      averageMs:
        durations.length === 0 ? null : durations.reduce((sum, ms) => sum + ms, 0) / durations.length,
      p95Ms: p95Of(group),
    }
  })
}

function groupFailures(rows: readonly EndedRow[]): readonly FailureGroup[] {
  const failed = rows.filter(({ status, code }) => status === 'failed' && code !== null)
  const groups = Map.groupBy(failed, ({ flow_id, code }) => `${flow_id} ${code}`)
  return [...groups.values()]
    .flatMap((group) => {
      const [last] = group.toSorted((one, other) => (one.id < other.id ? 1 : -1))
      if (last === undefined) return []
      const { id, flow_id: flowId, code, message, finished_at: at } = last
      return [{ flowId, errorCode: code ?? '', executions: group.length, last: { id, at, message } }]
    })
    .toSorted((one, other) => other.executions - one.executions)
}
