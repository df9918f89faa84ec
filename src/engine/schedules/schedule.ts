import { defineQueue } from '#kernel/work'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import type { Timing } from './next-times.ts'

/** What happens when a time is due while the previous execution is running: the time is skipped, or waits. */
export const overlaps = ['skip', 'queue'] as const
type Overlap = (typeof overlaps)[number]

/** Why no execution was started for a time. */
export interface ScheduleError {
  readonly code: string
  readonly message: string
  /** ISO 8601. */
  readonly at: string
}

/** A row of `engine_schedules`, as a worker claims it. */
export interface ScheduleRow {
  readonly id: string
  readonly label: string | null
  readonly flow_id: string
  readonly flow_version: number | null
  readonly account_id: string
  readonly created_by: string | null
  readonly cron: string
  readonly timezone: string
  readonly input: ExecutionInput
  readonly priority: Priority
  readonly overlap: Overlap
  readonly enabled: boolean
  readonly starts_at: Date | null
  readonly ends_at: Date | null
  readonly next_at: Date | null
  readonly last_at: Date | null
  readonly last_outcome: 'started' | 'skipped' | 'failed' | null
  readonly last_execution_id: string | null
  readonly last_error: ScheduleError | null
  readonly times_started: number
  readonly times_skipped: number
  readonly times_failed: number
  readonly created_at: Date
  readonly updated_at: Date
}

export const scheduleQueue = defineQueue<ScheduleRow>({
  name: 'schedules',
  table: 'engine_schedules',
  key: 'id',
})

/** A flow that runs on a cron schedule. */
export interface Schedule extends Timing {
  readonly id: string
  readonly label: string | null
  readonly flowId: string
  /** Null: the version that is current when the schedule is due. */
  readonly flowVersion: number | null
  /** The account that pays, and that needs the permission to run workflows. */
  readonly accountId: string
  readonly createdBy: string | null
  readonly input: ExecutionInput
  readonly priority: Priority
  readonly overlap: Overlap
  readonly enabled: boolean
  /** The next due time; null when it is disabled or finished. */
  readonly nextAt: Date | null
  /** The last due time, and its outcome. */
  readonly last: {
    readonly at: Date | null
    readonly outcome: ScheduleRow['last_outcome']
    readonly executionId: string | null
    readonly error: ScheduleError | null
  }
  readonly counts: { readonly started: number; readonly skipped: number; readonly failed: number }
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const scheduleColumns = `
  id, label, flow_id, flow_version, account_id, created_by, cron, timezone, input, priority, overlap, enabled, starts_at,
  ends_at, next_at, last_at, last_outcome, last_execution_id, last_error, times_started, times_skipped, times_failed,
  created_at, updated_at
`

export function timingOf(row: Pick<ScheduleRow, 'cron' | 'timezone' | 'starts_at' | 'ends_at'>): Timing {
  return { cron: row.cron, timezone: row.timezone, startsAt: row.starts_at, endsAt: row.ends_at }
}

export function toSchedule(row: ScheduleRow): Schedule {
  return {
    ...timingOf(row),
    id: row.id,
    label: row.label,
    flowId: row.flow_id,
    flowVersion: row.flow_version,
    accountId: row.account_id,
    createdBy: row.created_by,
    input: row.input,
    priority: row.priority,
    overlap: row.overlap,
    enabled: row.enabled,
    nextAt: row.next_at,
    last: {
      at: row.last_at,
      outcome: row.last_outcome,
      executionId: row.last_execution_id,
      error: row.last_error,
    },
    counts: { started: row.times_started, skipped: row.times_skipped, failed: row.times_failed },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
