import { CompiledQuery, type Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import type { ScheduleError } from './schedule.ts'

/** A time of a schedule as it is recorded. */
interface NewTime {
  readonly scheduleId: string
  readonly dueAt: Date
  readonly outcome: 'started' | 'skipped' | 'not_started'
  readonly executionId: string | null
  readonly error: ScheduleError | null
  /** How often a worker began with this time. */
  readonly tries: number
}

const executionStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

/**
 * What became of a time of a schedule: the status of its execution, or why there is none. `skipped`: the previous execution was
 * running. `not_started`: the start failed. `expired`: the execution was deleted by the retention.
 */
export const timeOutcomes = [...executionStatuses, 'skipped', 'not_started', 'expired'] as const

/** A time of a schedule. */
export interface ScheduleTime {
  readonly dueAt: Date
  readonly kind: 'scheduled' | 'manual'
  readonly outcome: (typeof timeOutcomes)[number]
  readonly executionId: string | null
  /** Of the start, or of the execution. */
  readonly error: { readonly code: string; readonly message: string } | null
  /** Null until the execution has ended. */
  readonly durationMs: number | null
  readonly tries: number
}

/** The number of times that are kept per schedule. */
export const timesKept = 50

/** Records what happened at a due time, and deletes the times beyond the kept ones. */
export async function recordTime(transaction: Transaction<NoTables>, time: NewTime): Promise<void> {
  const { scheduleId, dueAt, outcome, executionId, error, tries } = time
  await transaction.executeQuery(
    CompiledQuery.raw(
      `
        with added as (
          insert into engine_schedule_times (schedule_id, due_at, outcome, execution_id, error, tries)
          values ($1, $2, $3, $4, $5, $6)
          on conflict (schedule_id, due_at, kind) do update
            set outcome = excluded.outcome, execution_id = excluded.execution_id, error = excluded.error, tries = excluded.tries
        )
        ${deleteOldTimes}
      `,
      [scheduleId, dueAt, outcome, executionId, error === null ? null : JSON.stringify(error), tries],
    ),
  )
}

/** Records an execution that was started by a request. A repeated request records nothing, nor does one for a deleted schedule. */
export async function recordManualRun(
  database: Pick<Database, 'query'>,
  scheduleId: string,
  executionId: string,
): Promise<void> {
  await database.query(
    `
      with added as (
        insert into engine_schedule_times (schedule_id, due_at, kind, outcome, execution_id)
        select id, clock_timestamp(), 'manual', 'started', $2::uuid
        from engine_schedules
        where id = $1
          and not exists (select 1 from engine_schedule_times where schedule_id = $1 and execution_id = $2)
        for key share
      )
      ${deleteOldTimes}
    `,
    [scheduleId, executionId],
  )
}

/** The statement does not see the row it adds, so one more than the kept times may remain. */
const deleteOldTimes = `
  delete from engine_schedule_times
  where schedule_id = $1 and due_at < (
    select due_at from engine_schedule_times where schedule_id = $1 order by due_at desc offset ${timesKept - 1} limit 1
  )
`

interface TimeRow {
  readonly schedule_id: string
  readonly due_at: Date
  readonly kind: ScheduleTime['kind']
  readonly outcome: NewTime['outcome']
  readonly execution_id: string | null
  readonly error: ScheduleError | null
  readonly tries: number
  /** Null: there is no execution, or it was deleted. */
  readonly status: (typeof executionStatuses)[number] | null
  readonly execution_error: { readonly code: string; readonly message: string } | null
  readonly duration_ms: number | null
}

/** The last times of each schedule, newest first; nothing for a schedule without any. */
export async function readTimes(
  database: Pick<Database, 'query'>,
  scheduleIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ScheduleTime[]>> {
  const rows = await database.query<TimeRow>(
    `
      select time.schedule_id, time.due_at, time.kind, time.outcome, time.execution_id, time.error, time.tries,
        execution.status, execution.error as execution_error,
        (execution.facts ->> 'duration_ms')::double precision as duration_ms
      from unnest($1::uuid[]) as schedule (id)
      cross join lateral (
        select * from engine_schedule_times where schedule_id = schedule.id order by due_at desc limit ${timesKept}
      ) as time
      left join engine_executions as execution on execution.id = time.execution_id
      order by time.schedule_id, time.due_at desc
    `,
    [scheduleIds],
  )
  return new Map(
    [...Map.groupBy(rows, (row) => row.schedule_id)].map(([id, times]) => [id, times.map(toTime)]),
  )
}

function toTime(row: TimeRow): ScheduleTime {
  const error = row.error ?? row.execution_error
  return {
    dueAt: row.due_at,
    kind: row.kind,
    outcome: row.outcome === 'started' ? (row.status ?? 'expired') : row.outcome,
    executionId: row.execution_id,
    error: error === null ? null : { code: error.code, message: error.message },
    durationMs: row.duration_ms,
    tries: row.tries,
  }
}
