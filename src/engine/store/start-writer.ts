import { createBatchWriter, type Database } from '#kernel/database'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import { executionQueue, workPriority } from './queue.ts'

/** An execution that is to be. */
interface NewExecution {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: Priority
  readonly input: ExecutionInput
  /** The worker it begins at, at once; without one it waits in the queue for any. */
  readonly workerId?: string | undefined
}

export interface StartWriter extends AsyncDisposable {
  /** Resolves once it is on disk. */
  write(execution: NewExecution): Promise<void>
}

const startStatement = `
  insert into engine_executions (
    id, flow_id, flow_version, account_id, status, priority, input, started_at,
    work_state, work_priority, work_worker, work_fence, work_attempts
  )
  select it.id, it.flow_id, it.flow_version, it.account_id,
    case when it.worker is null then 'queued' else 'running' end, it.priority, it.input,
    case when it.worker is null then null else now() end,
    case when it.worker is null then 'queued' else 'running' end, it.work_priority, it.worker,
    case when it.worker is null then 0 else 1 end,
    case when it.worker is null then 0 else 1 end
  from json_to_recordset($1::json) as it (
    id uuid, flow_id text, flow_version integer, account_id uuid, priority text, input jsonb, work_priority smallint, worker uuid
  )
`

/** Executions that are started together are stored together. */
export function createStartWriter(database: Pick<Database, 'query' | 'kysely'>): StartWriter {
  const writer = createBatchWriter<NewExecution, undefined>({ flush, maxItems: 400 })

  async function flush(executions: readonly NewExecution[]): Promise<undefined[]> {
    const rows = executions.map(({ id, flowId, flowVersion, accountId, priority, input, workerId }) => ({
      id,
      flow_id: flowId,
      flow_version: flowVersion,
      account_id: accountId,
      priority,
      input,
      work_priority: workPriority[priority],
      worker: workerId ?? null,
    }))
    await database.query(startStatement, [JSON.stringify(rows)], 'engine_start')
    if (rows.some(({ worker }) => worker === null)) await executionQueue.wake(database.kysely)
    return rows.map(() => undefined)
  }

  return {
    write: (execution) => writer.write(execution),
    [Symbol.asyncDispose]: () => writer.close(),
  }
}
