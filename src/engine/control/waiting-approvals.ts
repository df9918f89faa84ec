import type { Database } from '#kernel/database'
import type { Priority } from '../execution/input.ts'

/** An execution that waits until somebody agrees. */
export interface WaitingApproval {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly flowLabel: string
  readonly accountId: string
  readonly priority: Priority
  readonly createdAt: Date
  readonly forkedFrom: string | null
  readonly scheduleId: string | null
}

interface Page {
  readonly limit: number
  readonly offset: number
}

const waiting = `from engine_executions as execution where work_state = 'queued' and work_due_at = 'infinity' and approval = 'pending'`

/** Those that wait for approval, the oldest first: what is added meanwhile comes after every page that was read. */
export async function listWaitingApprovals(
  database: Pick<Database, 'query'>,
  { limit, offset }: Page,
): Promise<{ readonly waiting: WaitingApproval[]; readonly total: number }> {
  const [rows, [count]] = await Promise.all([
    database.query<WaitingApproval>(
      `
        select execution.id, execution.flow_id as "flowId", execution.flow_version as "flowVersion",
          (
            select version.definition ->> 'label' from engine_flow_versions as version
            where version.flow_id = execution.flow_id and version.version = execution.flow_version
          ) as "flowLabel",
          execution.account_id as "accountId", execution.priority, execution.created_at as "createdAt",
          execution.forked_from as "forkedFrom", execution.schedule_id as "scheduleId"
        ${waiting}
        order by execution.created_at, execution.id
        limit $1 offset $2
      `,
      [limit, offset],
    ),
    database.query<{ total: number }>(`select count(*)::integer as total ${waiting}`),
  ])
  return { waiting: rows, total: count?.total ?? 0 }
}
