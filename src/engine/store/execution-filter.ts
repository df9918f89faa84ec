import { firstIdAt } from '#kernel/partitions'
import type { Priority } from '../execution/input.ts'
import type { StoredExecution } from './read-execution.ts'

/**
 * What an execution does now. Unlike its status, it tells executions that wait from those that run:
 *
 * | state            | status         | and                                               |
 * |------------------|----------------|---------------------------------------------------|
 * | `needs_approval` | queued         | its approval is pending                           |
 * | `needs_answer`   | running        | it only waits, and a human task is open           |
 * | `waiting`        | queued/running | it only waits, or a limit of its flow keeps it back |
 * | the others       | the same       | none of these                                     |
 */
export const listedStates = [
  'needs_approval',
  'needs_answer',
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
] as const

export type ListedState = (typeof listedStates)[number]

/** What started an execution; the first that applies. */
export const executionTriggers = ['trigger', 'schedule', 'rerun', 'fork', 'test', 'request'] as const

export type ExecutionTrigger = (typeof executionTriggers)[number]

/** Selects executions. Absent fields select all. */
export interface ExecutionFilter {
  readonly accountId?: string | undefined
  readonly status?: StoredExecution['status'] | undefined
  readonly states?: readonly ListedState[] | undefined
  /** Whether it only waits. */
  readonly suspended?: boolean | undefined
  /** Whether the limits of its flow keep it back. */
  readonly gated?: boolean | undefined
  readonly flowId?: string | undefined
  /** One of these flows. */
  readonly flowIds?: readonly string[] | undefined
  readonly flowVersion?: number | undefined
  readonly triggers?: readonly ExecutionTrigger[] | undefined
  /** Started by this schedule. */
  readonly scheduleId?: string | undefined
  /** Started by this trigger. */
  readonly triggerId?: string | undefined
  readonly priority?: Priority | undefined
  readonly errorCode?: string | undefined
  readonly minDurationMs?: number | undefined
  readonly maxDurationMs?: number | undefined
  /** Created at or after. */
  readonly since?: Date | undefined
  /** Created before. */
  readonly until?: Date | undefined
  /** A prefix of the id. */
  readonly search?: string | undefined
  /** Excludes executions after this id, so that new ones do not shift the pages. */
  readonly asOf?: string | undefined
  /** Excludes this execution and all after it: the next page of the newest ones. */
  readonly before?: string | undefined
}

const openHumanTask = `exists (
    select from engine_waits as wait where wait.execution_id = execution.id and wait.state = 'open' and wait.kind = 'human'
  )`

/** The row `execution` in each state. The conditions on `work_state` are those of the partial indexes of the queue. */
const stateConditions: Readonly<Record<ListedState, string>> = {
  needs_approval: `execution.work_state = 'queued' and execution.work_due_at = 'infinity' and execution.approval = 'pending'`,
  needs_answer: `execution.work_state = 'suspended' and ${openHumanTask}`,
  waiting: `(execution.work_state = 'gated' or execution.work_state = 'suspended' and not ${openHumanTask})`,
  queued: `(execution.work_state = 'queued' or execution.work_state = 'running')
    and execution.status = 'queued' and execution.approval is distinct from 'pending'`,
  running: `(execution.work_state = 'queued' or execution.work_state = 'running') and execution.status = 'running'`,
  completed: `execution.status = 'completed'`,
  failed: `execution.status = 'failed'`,
  cancelled: `execution.status = 'cancelled'`,
}

/** The state of the row `execution`. */
export const stateSql = `
  case
    when execution.work_state = 'finished' then execution.status
    when ${stateConditions.needs_approval} then 'needs_approval'
    when ${stateConditions.needs_answer} then 'needs_answer'
    when execution.work_state in ('suspended', 'gated') then 'waiting'
    else execution.status
  end
`

/** The trigger of the row `execution`. Runs of drafts and of saved tests are tests. */
export const triggerSql = `
  case
    when execution.trigger_id is not null then 'trigger'
    when execution.schedule_id is not null then 'schedule'
    when execution.rerun_of is not null then 'rerun'
    when execution.forked_from is not null then 'fork'
    when starts_with(execution.flow_id, 'draft:') or execution.input -> 'replay' is not null then 'test'
    else 'request'
  end
`

/** The duration of the row `execution` in milliseconds; null until it ends. */
export const durationSql = `(execution.facts ->> 'duration_ms')::double precision`

/** The parts of a statement that selects executions. */
export interface FilterSql {
  /** A condition on the row `execution`. */
  readonly where: string
  /** A condition on `duration_ms`. Evaluated only among the newest executions, because no index has durations. */
  readonly ofDuration: string | undefined
  readonly values: readonly unknown[]
}

/** Writes a filter as SQL. Only conditions that are given are written, so that the planner can choose the index of each list. */
export function writeFilter(filter: ExecutionFilter): FilterSql {
  const values: unknown[] = []
  const conditions: string[] = []
  const put = (value: unknown): string => `$${values.push(value)}`
  const add = <Value>(value: Value | undefined, write: (value: Value) => string): void => {
    if (value !== undefined) conditions.push(write(value))
  }

  add(filter.accountId, (id) => `execution.account_id = ${put(id)}::uuid`)
  add(filter.status, (status) => statusCondition(status, put))
  add(
    filter.states,
    (states) => `(${states.map((state) => `(${stateConditions[state]})`).join(' or ') || 'false'})`,
  )
  add(filter.suspended, (suspended) => `(execution.work_state = 'suspended') = ${put(suspended)}::boolean`)
  add(filter.gated, (gated) => `(execution.work_state = 'gated') = ${put(gated)}::boolean`)
  add(filter.flowId, (id) => `execution.flow_id = ${put(id)}::text`)
  add(filter.flowIds, (ids) => `execution.flow_id = any(${put(ids)}::text[])`)
  add(filter.flowVersion, (version) => `execution.flow_version = ${put(version)}::integer`)
  add(filter.triggers, (triggers) => `(${triggerSql}) = any(${put(triggers)}::text[])`)
  add(filter.scheduleId, (id) => `execution.schedule_id = ${put(id)}::uuid`)
  add(filter.triggerId, (id) => `execution.trigger_id = ${put(id)}::uuid`)
  add(filter.priority, (priority) => `execution.priority = ${put(priority)}::text`)
  add(filter.errorCode, (code) => `execution.error ->> 'code' = ${put(code)}::text`)
  add(
    filter.since,
    (since) =>
      `execution.created_at >= ${put(since)}::timestamptz and execution.id >= ${put(idAt(since, -daySlackMs))}::uuid`,
  )
  add(
    filter.until,
    (until) =>
      `execution.created_at < ${put(until)}::timestamptz and execution.id < ${put(idAt(until, daySlackMs))}::uuid`,
  )
  add(filter.search, (prefix) => `starts_with(execution.id::text, ${put(prefix.toLowerCase())}::text)`)
  add(filter.asOf, (id) => `execution.id <= ${put(id)}::uuid`)
  add(filter.before, (id) => `execution.id < ${put(id)}::uuid`)

  const { minDurationMs: min, maxDurationMs: max } = filter
  const durations = [
    ...(min === undefined ? [] : [`duration_ms >= ${put(min)}::double precision`]),
    ...(max === undefined ? [] : [`duration_ms <= ${put(max)}::double precision`]),
  ]
  return {
    where: conditions.length === 0 ? 'true' : conditions.join(' and '),
    ofDuration: durations.length === 0 ? undefined : durations.join(' and '),
    values,
  }
}

/**
 * A status as text, where a partial index has it: few executions have it, and a list of them must not read past all others. The
 * conditions on `work_state` are those of the partial indexes of the queue.
 */
function statusCondition(status: StoredExecution['status'], put: (value: unknown) => string): string {
  if (status === 'failed' || status === 'cancelled') return `execution.status = '${status}'`
  const condition = `execution.status = ${put(status)}::text`
  if (status === 'completed') return condition
  return `${condition} and (execution.work_state = 'queued' or execution.work_state = 'running' or execution.work_state in ('suspended', 'gated'))`
}

/** An id has the time at which its request arrived. A repeated request with an idempotency key may store it up to a day later. */
const daySlackMs = 25 * 3_600_000

/** No column of the creation time is indexed; the bound of ids lets a list end at its oldest execution. */
function idAt(at: Date, slackMs: number): string {
  return firstIdAt(new Date(at.getTime() + slackMs))
}
