import { derivedExecutionId } from '#engine'
import type { Database } from '#kernel/database'

/** An execution to store as if it had run; what is absent is usual. */
export interface StoredRun {
  readonly flowId: string
  readonly accountId: string
  readonly flowVersion?: number
  readonly status?: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  readonly workState?: 'queued' | 'suspended' | 'gated' | 'finished'
  readonly approval?: 'pending' | null
  readonly createdAt: Date
  readonly durationMs?: number | null
  readonly spent?: number
  readonly errorCode?: string
  readonly scheduleId?: string
}

/** Stores executions that nothing runs: a list needs thousands, of all states and times. Resolves with their ids. */
export async function storeRuns(
  database: Pick<Database, 'query'>,
  runs: readonly StoredRun[],
): Promise<string[]> {
  const ids = runs.map(({ createdAt }, index) => derivedExecutionId(createdAt, `${index} ${Math.random()}`))
  const rows = runs.map((run, index) => rowOf(ids[index] ?? '', run))
  await database.query(
    `
      insert into engine_executions (id, flow_id, flow_version, account_id, status, input, error, facts, approval, schedule_id, spent,
        created_at, started_at, finished_at, work_state, work_due_at)
      select id, flow_id, flow_version, account_id, status, '{"context": {}, "options": {}, "memory": {}}', error, facts, approval,
        schedule_id, spent, created_at, started_at, finished_at, work_state, 'infinity'
      from json_populate_recordset(null::engine_executions, $1::json)
    `,
    [JSON.stringify(rows)],
  )
  return ids
}

const unfinished: ReadonlySet<string> = new Set(['queued', 'running'])

function rowOf(id: string, run: StoredRun) {
  const { status = 'completed', createdAt, durationMs = 1000, spent = 0, errorCode } = run
  const isOver = !unfinished.has(status)
  return {
    id,
    flow_id: run.flowId,
    flow_version: run.flowVersion ?? 1,
    account_id: run.accountId,
    status,
    approval: run.approval ?? null,
    schedule_id: run.scheduleId ?? null,
    spent,
    error: errorCode === undefined ? null : { code: errorCode, message: `It failed with ${errorCode}.` },
    facts: isOver
      ? {
          duration_ms: durationMs,
          queued_ms: 250,
          steps: [{ id: 'only', count: 1, attempts: 3, input_tokens: 30, output_tokens: 12 }],
        }
      : null,
    created_at: createdAt,
    started_at: status === 'queued' ? null : createdAt,
    finished_at: isOver ? createdAt : null,
    work_state: run.workState ?? (isOver ? 'finished' : 'queued'),
  }
}
