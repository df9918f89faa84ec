import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { type Database, migrate } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { workMigrations } from '#kernel/work'
import type { ExecutionStats, StepStats } from '../../src/engine/execution/stats.ts'
import { engineMigrations } from '../../src/engine/migrations.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

export const quiet = createLogger({ level: 'silent', format: 'json' })

export async function createHistoryDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [workMigrations, engineMigrations], quiet)
  return database
}

/** Stats of an execution. Default: it completed after a second. */
export function someFacts({
  finishedAt = new Date(),
  ...facts
}: Partial<ExecutionStats> & { readonly finishedAt?: Date } = {}): ExecutionStats {
  const duration = facts.duration_ms ?? 1000
  const startedAt = new Date(finishedAt.getTime() - duration)
  return {
    flow_id: 'flow_1',
    flow_version: 1,
    account_id: randomUUID(),
    status: 'completed',
    priority: 'normal',
    error_code: null,
    created_at: new Date(startedAt.getTime() - (facts.queued_ms ?? 20)).toISOString(),
    started_at: startedAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    queued_ms: 20,
    duration_ms: duration,
    spent: 500,
    unpriced: false,
    peak_bytes: 4096,
    cpu_ms: 1.25,
    decisions: 0,
    items: 0,
    steps: [someStep()],
    ...facts,
  }
}

export function someStep(step: Partial<StepStats> = {}): StepStats {
  return {
    id: 'write',
    type: 'ai_prompt',
    state: 'completed',
    count: 1,
    ms: 800,
    attempts: 1,
    provider: 'openai',
    model: 'gpt-4o-mini',
    input_tokens: 120,
    output_tokens: 60,
    spent: 500,
    ai_calls: 1,
    ai_ms: 750,
    ...step,
  }
}

/** Stores ended executions, and returns their ids. */
export async function addEnded(
  database: Pick<Database, 'query'>,
  all: readonly ExecutionStats[],
  { counted = true }: { readonly counted?: boolean } = {},
): Promise<readonly string[]> {
  const rows = all.map((facts) => ({ id: randomUUIDv7(), facts }))
  await database.query(
    `
      with given as (select * from json_to_recordset($1::json) as it (id uuid, facts jsonb)),
      executions as (
        insert into engine_executions (
          id, flow_id, flow_version, account_id, status, priority, input, facts, spent, created_at, started_at, finished_at, work_state
        )
        select id, facts ->> 'flow_id', 1, (facts ->> 'account_id')::uuid, facts ->> 'status', facts ->> 'priority', '{}', facts,
          (facts ->> 'spent')::bigint, (facts ->> 'created_at')::timestamptz, (facts ->> 'started_at')::timestamptz,
          (facts ->> 'finished_at')::timestamptz, 'finished'
        from given
      )
      insert into engine_finished (execution_id) select id from given where $2
    `,
    [JSON.stringify(rows), counted],
  )
  return rows.map(({ id }) => id)
}

/** Subtracts the end of an execution, like a recovery. */
export async function takeBack(
  database: Pick<Database, 'query'>,
  id: string,
  facts: ExecutionStats,
): Promise<void> {
  await database.query('insert into engine_finished (execution_id, sign, facts) values ($1, -1, $2)', [
    id,
    JSON.stringify(facts),
  ])
}
