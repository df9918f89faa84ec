import type { Database } from '#kernel/database'
import { redactCredentials } from '../definition/credentials.ts'
import type { FlowDefinition } from '../definition/flow.ts'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import type { ExecutionStats } from '../execution/stats.ts'
import type { FlowMetadata } from '../flows/flow-metadata.ts'
import type { ExecutionEvent, StepOutcome, StoredError } from './commit.ts'
import type { ExecutionTimes } from './execution-time.ts'
import { unpackDetails } from './outcome-details.ts'

/** Everything that is stored of an execution, from one snapshot. */
export interface StoredExecution extends ExecutionTimes {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: Priority
  readonly input: ExecutionInput
  readonly error: StoredError | null
  /** Its statistics; null until it ends. */
  readonly facts: ExecutionStats | null
  /** Whole micro-dollars. */
  readonly spent: number
  readonly reserved: number
  readonly approval: 'pending' | 'approved' | 'rejected' | null
  readonly approvalBy: string | null
  readonly approvalAt: Date | null
  readonly approvalNote: string | null
  /** The stored request to cancel it. */
  readonly cancel: Readonly<Record<string, unknown>> | null
  readonly forkedFrom: string | null
  readonly forkedAtStep: string | null
  readonly scheduleId: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
  /** Ordered by `seq`. */
  readonly outcomes: readonly StepOutcome[]
  readonly events: readonly ExecutionEvent[]
  /** 1 is next; null when it is not queued. */
  readonly queuePosition: number | null
  /** Why it waits even if a worker is free. */
  readonly parked: 'approval' | 'concurrency' | null
}

/**
 * One statement, so that all parts come from one snapshot: an execution that has ended has all its outcomes. Dates inside JSON arrive
 * as text.
 */
const readStatement = `
  select execution.id, execution.flow_id, execution.flow_version, execution.account_id, execution.status,
    execution.priority, execution.input, execution.error, execution.facts, execution.spent, execution.reserved,
    execution.approval, execution.approval_by, execution.approval_at, execution.approval_note, execution.cancel,
    execution.forked_from, execution.forked_at_step, execution.schedule_id,
    execution.created_at, execution.started_at, execution.resumed_at, execution.active_ms, execution.finished_at,
    version.definition, version.metadata,
    case
      when execution.work_state <> 'queued' or execution.work_due_at <> 'infinity' then null
      when execution.approval = 'pending' then 'approval'
      else 'concurrency'
    end as parked,
    case when execution.work_state = 'queued' and execution.work_due_at <> 'infinity' then (
      select count(*) + 1
      from engine_executions as other
      where other.work_state = 'queued'
        and other.work_due_at <> 'infinity'
        and (-other.work_priority, other.work_due_at, other.id)
          < (-execution.work_priority, execution.work_due_at, execution.id)
    ) end as queue_position,
    (
      select coalesce(json_agg(step order by step.seq, step.item), '[]')
      from (
        select step_id, item, seq, state, attempts, started_at, finished_at, output, choice, error, details, spent
        from engine_outcomes where execution_id = execution.id
      ) as step
    ) as outcomes,
    (
      select coalesce(json_agg(event.entries order by event.first_seq), '[]')
      from engine_events as event where event.execution_id = execution.id
    ) as journal
  from engine_executions as execution
  join engine_flow_versions as version
    on version.flow_id = execution.flow_id and version.version = execution.flow_version
  where execution.id = $1
`

interface Row {
  readonly id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly account_id: string
  readonly status: StoredExecution['status']
  readonly priority: Priority
  readonly input: ExecutionInput
  readonly error: StoredError | null
  readonly facts: ExecutionStats | null
  readonly spent: number
  readonly reserved: number
  readonly approval: StoredExecution['approval']
  readonly approval_by: string | null
  readonly approval_at: Date | null
  readonly approval_note: string | null
  readonly cancel: Readonly<Record<string, unknown>> | null
  readonly forked_from: string | null
  readonly forked_at_step: string | null
  readonly schedule_id: string | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly resumed_at: Date | null
  readonly active_ms: number
  readonly finished_at: Date | null
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
  readonly parked: StoredExecution['parked']
  readonly queue_position: number | null
  readonly outcomes: readonly OutcomeJson[]
  readonly journal: readonly (readonly EventJson[])[]
}

type OutcomeJson = Omit<StepOutcome, 'stepId' | 'startedAt' | 'finishedAt'> & {
  readonly step_id: string
  readonly started_at: string | null
  readonly finished_at: string
}

type EventJson = Omit<ExecutionEvent, 'at'> & { readonly at: string }

/** Reads an execution with its outcomes and events. Undefined: there is no execution with this id. */
export async function readExecution(
  database: Pick<Database, 'query'>,
  id: string,
): Promise<StoredExecution | undefined> {
  const [row] = await database.query<Row>(readStatement, [id], 'engine_read_execution')
  if (row === undefined) return undefined
  return {
    id: row.id,
    flowId: row.flow_id,
    flowVersion: row.flow_version,
    accountId: row.account_id,
    status: row.status,
    priority: row.priority,
    input: row.input,
    error: row.error,
    facts: row.facts,
    spent: row.spent,
    reserved: row.reserved,
    approval: row.approval,
    approvalBy: row.approval_by,
    approvalAt: row.approval_at,
    approvalNote: row.approval_note,
    cancel: row.cancel,
    forkedFrom: row.forked_from,
    forkedAtStep: row.forked_at_step,
    scheduleId: row.schedule_id,
    createdAt: row.created_at,
    startedAt: row.started_at,
    resumedAt: row.resumed_at,
    activeMs: row.active_ms,
    durationMs: row.facts?.duration_ms ?? null,
    finishedAt: row.finished_at,
    definition: redactCredentials(row.definition),
    metadata: row.metadata,
    parked: row.parked,
    queuePosition: row.queue_position,
    outcomes: row.outcomes.map(readOutcome),
    events: row.journal.flat().map(({ at, ...event }) => ({ ...event, at: new Date(at) })),
  }
}

function readOutcome(json: OutcomeJson): StepOutcome {
  const { item, seq, state, attempts, output, choice, error, details, spent } = json
  return {
    stepId: json.step_id,
    item,
    seq,
    state,
    attempts,
    startedAt: json.started_at === null ? null : new Date(json.started_at),
    finishedAt: new Date(json.finished_at),
    output,
    choice,
    error,
    details: unpackDetails(state, details),
    spent,
  }
}
