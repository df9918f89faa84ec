import { readListedExecutions } from '../store/list-executions.ts'
import type { OverviewNumbers } from './overview-numbers.ts'
import type { RunQuery } from './read-sums.ts'

const maxRecent = 10
export const maxMessage = 500

/** The newest executions of an account, or of all, as in the list of executions. */
export function readRecent(run: RunQuery, accountId: string | undefined) {
  return readListedExecutions({ query: run }, { accountId, order: 'newest', limit: maxRecent, offset: 0 })
}

/** Whether an execution of the account is stored. */
export async function hasExecutions(run: RunQuery, accountId: string): Promise<boolean> {
  const [row] = await run<{ found: boolean }>(
    'select exists (select from engine_executions where account_id = $1) as found',
    [accountId],
  )
  return row?.found ?? false
}

/** Counts up to this number: a longer queue need not be known exactly. */
const maxCounted = 1000

const countOf = (condition: string) =>
  `(select count(*) from (select from engine_executions where ${condition} limit ${maxCounted}) as found)`

/** The executions that run, that wait for a worker, and that wait for approval. Those states are the ones of the list of executions. */
export async function countActive(run: RunQuery): Promise<OverviewNumbers['active']> {
  const [row] = await run<OverviewNumbers['active']>(
    `
      select ${countOf("work_state = 'running'")} as running,
        ${countOf("work_state = 'queued' and approval is distinct from 'pending'")} as queued,
        ${countOf("work_state = 'queued' and work_due_at = 'infinity' and approval = 'pending'")} as "needsApproval"
    `,
    [],
  )
  return row ?? { running: 0, queued: 0, needsApproval: 0 }
}

interface LastFailure {
  readonly flowId: string
  readonly code: string
  readonly id: string
  readonly at: Date
  readonly message: string | null
}

/** The last failure is searched among this many of the newest executions of its flow. */
const maxScanned = 500

/** The newest failed execution of each group, of an account or of all. */
export function readLastFailures(
  run: RunQuery,
  groups: readonly { readonly flow_id: string; readonly code: string }[],
  accountId: string | undefined,
): Promise<readonly LastFailure[]> {
  return run<LastFailure>(
    `
      select wanted.flow_id as "flowId", wanted.code, last.id, last.finished_at as at, last.message
      from unnest($1::text[], $2::text[]) as wanted (flow_id, code)
      cross join lateral (
        select recent.id, recent.finished_at, left(recent.error ->> 'message', ${maxMessage}) as message
        from (
          select id, account_id, status, error, finished_at
          from engine_executions
          where flow_id = wanted.flow_id
          order by id desc
          limit ${maxScanned}
        ) as recent
        where recent.status = 'failed' and recent.error ->> 'code' = wanted.code
          and ($3::uuid is null or recent.account_id = $3)
        order by recent.id desc
        limit 1
      ) as last
    `,
    [groups.map(({ flow_id }) => flow_id), groups.map(({ code }) => code), accountId ?? null],
  )
}
