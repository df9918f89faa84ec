import { CompiledQuery, type Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import { defineQueue } from '#kernel/work'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import type { Timing } from './cron.ts'

/** How a schedule handles a time that is due while its previous execution is running: it skips the time, or starts the execution later. */
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

/** The columns of a schedule. */
export type ScheduleValues = Pick<
  ScheduleRow,
  | 'label'
  | 'flow_id'
  | 'flow_version'
  | 'cron'
  | 'timezone'
  | 'input'
  | 'priority'
  | 'overlap'
  | 'enabled'
  | 'starts_at'
  | 'ends_at'
>

interface NewScheduleValues extends ScheduleValues {
  readonly id: string
  readonly account_id: string
  readonly created_by: string
}

/** Returns nothing when the account has reached its limit, or when the id exists. */
export async function insertSchedule(
  transaction: Transaction<NoTables>,
  values: NewScheduleValues,
  nextAt: Date | null,
  maxPerAccount: number,
): Promise<ScheduleRow | undefined> {
  const { rows } = await transaction.executeQuery<ScheduleRow>(
    CompiledQuery.raw(
      `
        insert into engine_schedules (
          id, label, flow_id, flow_version, account_id, created_by, cron, timezone, input, priority, overlap, enabled,
          starts_at, ends_at, next_at, work_state, work_due_at
        )
        select $1, $2, $3, $4::integer, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
          case when $15::timestamptz is null then 'finished' else 'queued' end, coalesce($15, now())
        where (select count(*) from engine_schedules where account_id = $5) < $16
        on conflict (id) do nothing
        returning ${scheduleColumns}
      `,
      [
        values.id,
        values.label,
        values.flow_id,
        values.flow_version,
        values.account_id,
        values.created_by,
        ...changeableValues(values),
        nextAt,
        maxPerAccount,
      ],
    ),
  )
  return rows[0]
}

/** Locks and reads the row, with the time of the database. */
export async function lockSchedule(
  transaction: Transaction<NoTables>,
  id: string,
): Promise<(ScheduleRow & { readonly now: Date; readonly work_state: string }) | undefined> {
  const { rows } = await transaction.executeQuery<ScheduleRow & { now: Date; work_state: string }>(
    CompiledQuery.raw(
      `select ${scheduleColumns}, work_state, now() as now from engine_schedules where id = $1 for no key update`,
      [id],
    ),
  )
  return rows[0]
}

/**
 * Writes the settings of a schedule, and its next time. While a worker has leased the row, the worker sets the next time: it reads the
 * row again before it continues.
 */
export async function updateSchedule(
  transaction: Transaction<NoTables>,
  id: string,
  values: ScheduleValues,
  nextAt: Date | null,
): Promise<ScheduleRow | undefined> {
  const { rows } = await transaction.executeQuery<ScheduleRow>(
    CompiledQuery.raw(
      `
        update engine_schedules
        set label = $2, flow_id = $3, flow_version = $4, cron = $5, timezone = $6, input = $7, priority = $8, overlap = $9,
          enabled = $10, starts_at = $11, ends_at = $12, updated_at = now(),
          next_at = case when work_state = 'running' then next_at else $13::timestamptz end,
          work_due_at = case when work_state = 'running' then work_due_at else coalesce($13, now()) end,
          work_fence = case when work_state = 'running' then work_fence else work_fence + 1 end,
          work_attempts = case when work_state = 'finished' then 0 else work_attempts end,
          work_state = case
            when work_state = 'running' then 'running'
            when $13::timestamptz is null then 'finished'
            else 'queued'
          end
        where id = $1
        returning ${scheduleColumns}
      `,
      [id, values.label, values.flow_id, values.flow_version, ...changeableValues(values), nextAt],
    ),
  )
  return rows[0]
}

function changeableValues(values: ScheduleValues): unknown[] {
  const { cron, timezone, input, priority, overlap, enabled, starts_at: startsAt, ends_at: endsAt } = values
  return [cron, timezone, JSON.stringify(input), priority, overlap, enabled, startsAt, endsAt]
}

export async function readSchedule(
  database: Pick<Database, 'query'>,
  id: string,
): Promise<ScheduleRow | undefined> {
  const [row] = await database.query<ScheduleRow>(
    `select ${scheduleColumns} from engine_schedules where id = $1`,
    [id],
  )
  return row
}

export interface ScheduleFilter {
  /** Of one account; null: of all. */
  readonly accountId: string | null
  readonly flowId?: string | undefined
  readonly enabled?: boolean | undefined
  readonly limit: number
  readonly offset: number
}

/** The oldest first, so that new schedules do not shift the pages. */
export async function listSchedules(
  database: Pick<Database, 'query'>,
  { accountId, flowId, enabled, limit, offset }: ScheduleFilter,
): Promise<{ readonly rows: ScheduleRow[]; readonly total: number }> {
  const isMeant = `
    ($1::uuid is null or account_id = $1) and ($2::text is null or flow_id = $2) and ($3::boolean is null or enabled = $3)
  `
  const values = [accountId, flowId ?? null, enabled ?? null]
  const [rows, [counted]] = await Promise.all([
    database.query<ScheduleRow>(
      `
        select ${scheduleColumns} from engine_schedules
        where ${isMeant}
        order by created_at, id limit $4 offset $5
      `,
      [...values, limit, offset],
    ),
    database.query<{ total: number }>(
      `select count(*)::integer as total from engine_schedules where ${isMeant}`,
      values,
    ),
  ])
  return { rows, total: counted?.total ?? 0 }
}

export async function deleteSchedule(database: Pick<Database, 'query'>, id: string): Promise<boolean> {
  const rows = await database.query('delete from engine_schedules where id = $1 returning id', [id])
  return rows.length > 0
}
