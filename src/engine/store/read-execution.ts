import type { Database } from '#kernel/database'
import { JsonText, largeText, plainValue } from '#kernel/json-text'
import { type Claim, type Executor, runStatement } from '#kernel/work'
import { redactCredentials } from '../definition/credentials.ts'
import type { FlowDefinition } from '../definition/flow.ts'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import type { LeasedExecution } from '../execution/leased-execution.ts'
import { type ExecutionStats, unpackDetails } from '../execution/stats.ts'
import type { FlowMetadata } from '../flows/flow-metadata.ts'
import { writtenDefinition } from '../flows/read-flows.ts'
import { type AtGate, type AtGateJson, gateColumn, readAtGate } from '../gates/read-gate.ts'
import {
  type OpenWait,
  type OpenWaitJson,
  openWaitsColumn,
  readOpenWait,
  readOpenWaits,
  readWaits,
} from '../waits/read-waits.ts'
import type { ExecutionEvent, StepOutcome, StoredError } from './commit.ts'
import type { LargeOutputs } from './large-outputs.ts'
import { type ExecutionRow, executionQueue } from './queue.ts'
import { findOpenScopes, readOpenOutcomes } from './read-open-outcomes.ts'
import { readOutcomes } from './read-outcomes.ts'

/** All stored data of an execution, from one snapshot. */
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
  /** The execution that it runs again. */
  readonly rerunOf: string | null
  readonly triggerId: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
  /** Ordered by `seq`; of steps of the flow itself, not of those inside containers. */
  readonly outcomes: readonly StepOutcome[]
  /** Without the starts and ends of steps inside containers. */
  readonly events: readonly ExecutionEvent[]
  /** 1 is next; null when it is not queued. */
  readonly queuePosition: number | null
  /** Why it waits even if a worker is free. */
  readonly parked: 'approval' | 'concurrency' | 'flow_limit' | null
  /** Set while the limits of its flow keep it back. */
  readonly gated: AtGate | null
  /** Set while it only waits, and no worker has it. */
  readonly suspended: { readonly since: Date } | null
  /** Its open waits, the next to end first; at most 100. */
  readonly waits: readonly OpenWait[]
}

interface ReadOptions {
  readonly database: Pick<Database, 'query'>
  readonly outputs: Pick<LargeOutputs, 'readTexts'>
}

/** Reads an execution with its outcomes and events. Undefined: there is no execution with this id. Throws `objects_unavailable`. */
export async function readExecution(options: ReadOptions, id: string): Promise<StoredExecution | undefined> {
  const read = await readWithTexts(options, id)
  if (read === undefined) return undefined
  return {
    ...read,
    outcomes: read.outcomes.map((outcome) => ({ ...outcome, output: plainValue(outcome.output) })),
  }
}

/** The same, with large outputs as a `JsonText`. */
export async function readWithTexts(
  { database, outputs }: ReadOptions,
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
    rerunOf: row.rerun_of,
    triggerId: row.trigger_id,
    createdAt: row.created_at,
    startedAt: row.started_at,
    resumedAt: row.resumed_at,
    activeMs: row.active_ms,
    suspendedAt: row.suspended_at,
    durationMs: row.facts?.duration_ms ?? null,
    finishedAt: row.finished_at,
    definition: redactCredentials(row.definition),
    metadata: row.metadata,
    parked: row.parked,
    queuePosition: row.queue_position,
    suspended:
      row.work_state === 'suspended' && row.suspended_at !== null ? { since: row.suspended_at } : null,
    gated: row.gated === null ? null : readAtGate(row.gated),
    waits: row.waits.map(readOpenWait),
    outcomes: await outputs.readTexts(await readTexts(database, row)),
    events: row.journal.flat().map(({ at, ...event }) => ({ ...event, at: new Date(at) })),
  }
}

/** Outcomes inside containers are read apart, by scope: there may be tens of thousands. */
const ofFlowItself = `position('/' in step_id) = 0`

/** A large output is read apart, as text. Its length is known without reading it. */
const isLarge = `coalesce(octet_length(output) >= ${largeText}, false)`

const largeOutputs = `
  select step_id, item, output, octet_length(output) as bytes from engine_steps
  where execution_id = $1 and ${ofFlowItself} and ${isLarge} and not engine_is_object(output)
`

const hasContainers = `jsonb_path_exists(version.definition, '$.steps[*] ? (exists(@.steps) || @.type == "sub_flow")')`

/** Events of nested steps that say nothing beyond their outcomes. Failures, retries and log entries are kept. */
const isFrequent = `
  entry ->> 'type' = 'scope_finished'
  or entry ->> 'type' in ('step_started', 'step_completed', 'step_skipped') and (entry -> 'data' -> 'parent_step_id') is not null
`

/**
 * One statement, so that all parts come from one snapshot: an execution that has ended has all its outcomes. Dates inside JSON arrive
 * as text.
 */
const readStatement = `
  select execution.id, execution.flow_id, execution.flow_version, execution.account_id, execution.status,
    execution.priority, execution.input, execution.error, execution.facts, execution.spent, execution.reserved,
    execution.approval, execution.approval_by, execution.approval_at, execution.approval_note, execution.cancel,
    execution.forked_from, execution.forked_at_step, execution.schedule_id, execution.rerun_of, execution.trigger_id,
    execution.created_at, execution.started_at, execution.resumed_at, execution.active_ms, execution.suspended_at, execution.finished_at,
    ${writtenDefinition}, version.metadata, execution.work_state,
    case
      when execution.work_state = 'gated' then 'flow_limit'
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
    ${gateColumn} as gated,
    ${openWaitsColumn} as waits,
    (
      select coalesce(json_agg(step order by step.seq, step.item), '[]')
      from (
        select step_id, item, seq, state, attempts, started_at, finished_at, choice::json, error::json, details::json, spent,
          case when not (engine_is_object(output) or ${isLarge}) then output::json end as output,
          case when engine_is_object(output) then output end as output_object,
          ${isLarge} as is_large
        from engine_steps where execution_id = execution.id and ${ofFlowItself}
      ) as step
    ) as outcomes,
    case when ${hasContainers} then (
      select coalesce(json_agg(event.entries order by event.first_seq), '[]')
      from (
        select first_seq, (
          select coalesce(json_agg(entry order by nth), '[]')
          from json_array_elements(entries) with ordinality as it (entry, nth)
          where not (${isFrequent})
        ) as entries
        from engine_events where execution_id = execution.id
      ) as event
    ) else (
      select coalesce(json_agg(event.entries order by event.first_seq), '[]')
      from engine_events as event where event.execution_id = execution.id
    ) end as journal
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
  readonly rerun_of: string | null
  readonly trigger_id: string | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly resumed_at: Date | null
  readonly active_ms: number
  readonly suspended_at: Date | null
  readonly finished_at: Date | null
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
  readonly work_state: string
  readonly parked: StoredExecution['parked']
  readonly gated: AtGateJson | null
  readonly waits: readonly OpenWaitJson[]
  readonly queue_position: number | null
  readonly outcomes: readonly OutcomeJson[]
  readonly journal: readonly (readonly EventJson[])[]
}

type OutcomeJson = Omit<StepOutcome, 'stepId' | 'startedAt' | 'finishedAt' | 'outputObject'> & {
  readonly step_id: string
  readonly started_at: string | null
  readonly finished_at: string
  readonly output_object: string | null
  readonly is_large: boolean
}

type EventJson = Omit<ExecutionEvent, 'at'> & { readonly at: string }

interface LargeRow {
  readonly step_id: string
  readonly item: number
  readonly output: string
  readonly bytes: number
}

/** The outcomes, with large outputs as texts. One that was removed between the two statements is null, as if it had been removed before. */
async function readTexts(database: Pick<Database, 'query'>, { id, outcomes }: Row): Promise<StepOutcome[]> {
  if (!outcomes.some((outcome) => outcome.is_large)) return outcomes.map(readOutcome)
  const rows = await database.query<LargeRow>(largeOutputs, [id])
  const texts = new Map(
    rows.map((row) => [`${row.item} ${row.step_id}`, new JsonText(row.output, row.bytes)]),
  )
  return outcomes.map((outcome) => {
    const read = readOutcome(outcome)
    return outcome.is_large ? { ...read, output: texts.get(`${read.item} ${read.stepId}`) ?? null } : read
  })
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
    outputObject: json.output_object,
    choice,
    error,
    details: unpackDetails(state, details),
    spent,
  }
}

/** Loads the state a worker needs to run an execution. A new execution has no outcomes or events to read. Throws `output_missing`. */
export async function loadExecution(
  database: Executor,
  claim: Claim<ExecutionRow>,
  flow: Pick<LeasedExecution, 'definition' | 'graph'>,
  outputs: Pick<LargeOutputs, 'require'>,
): Promise<LeasedExecution> {
  const { row, workerId, fence } = claim
  const { id } = row
  const { nested, steps } = flow.graph
  const [{ outcomes, unread, waits }, last] = isNew(row)
    ? [nothing, noEvent]
    : await Promise.all([
        readProgress(database, claim, flow, outputs),
        readLastEvent(database, id, nested.size > 0 ? [...steps.keys()] : undefined),
      ])
  return {
    id,
    flowId: row.flow_id,
    flowVersion: row.flow_version,
    accountId: row.account_id,
    workerId,
    fence,
    ...flow,
    priority: row.priority,
    input: row.input,
    createdAt: row.created_at,
    startedAt: row.started_at,
    timedFrom: row.timed_from,
    ...(await resume(database, claim, last)),
    suspendedAt: row.suspended_at,
    waits,
    isRunning: row.status === 'running',
    spent: row.spent + row.reserved,
    outcomes,
    unread,
    totals: row.totals ?? null,
    lastSeq: last.seq,
  }
}

type Progress = Pick<LeasedExecution, 'outcomes' | 'unread' | 'waits'>

/**
 * The outcomes and waits that an execution continues with. With containers, only those of open scopes: only the worker with the lease ends
 * steps, so both are of the same state although they are read one after the other.
 */
async function readProgress(
  database: Executor,
  { row: { id }, signal }: Claim<ExecutionRow>,
  { graph }: Pick<LeasedExecution, 'graph'>,
  outputs: Pick<LargeOutputs, 'require'>,
): Promise<Progress> {
  if (graph.nested.size === 0) {
    const [outcomes, waits] = await Promise.all([readOutcomes(database, id), readWaits(database, id)])
    return { outcomes: await outputs.require(outcomes, signal), unread: [], waits }
  }
  const { outcomes, unread } = await readOpenOutcomes(database, id, graph)
  const steps = [...graph.steps.keys()]
  const waits = await readOpenWaits(database, id, { steps, scopes: findOpenScopes({ outcomes, unread }) })
  return { outcomes: await outputs.require(outcomes, signal), unread, waits }
}

/**
 * Resumes an execution in a further lease. Earlier leases count up to their last commit: the time without a worker, or after a
 * failure, is not part of the duration.
 */
async function resume(
  database: Executor,
  claim: Claim<ExecutionRow>,
  last: LastEvent,
): Promise<Pick<LeasedExecution, 'resumedAt' | 'activeMs'>> {
  const { row } = claim
  if (row.started_at === null || row.isLocal === true) return { resumedAt: null, activeMs: 0 }
  const activeMs = executionMs(timesOf(row), last.at ?? row.started_at) ?? 0
  // Never before the last commit of earlier leases: the clock of their worker may have been ahead.
  const resumedAt = new Date(Math.max(Date.now(), row.started_at.getTime(), last.at?.getTime() ?? 0))
  await executionQueue.update(database, claim, {
    resumed_at: resumedAt,
    active_ms: activeMs,
    suspended_at: null,
  })
  return { resumedAt, activeMs }
}

/** Only the row of the execution exists. A fork starts with reused outcomes, and the journal holds an approval, or that it was gated. */
function isNew(row: ExecutionRow): boolean {
  const { started_at: startedAt, forked_from: forkedFrom, approval, gated_at: gatedAt } = row
  return (
    row.isLocal === true ||
    (startedAt === null && forkedFrom === null && approval === null && gatedAt === null)
  )
}

/** The times of an execution that has not ended. */
export function timesOf({
  status,
  started_at: startedAt,
  resumed_at: resumedAt,
  active_ms: activeMs,
  suspended_at: suspendedAt,
}: Pick<
  ExecutionRow,
  'status' | 'started_at' | 'resumed_at' | 'active_ms' | 'suspended_at'
>): ExecutionTimes {
  return { status, startedAt, resumedAt, activeMs, suspendedAt, durationMs: null }
}

/**
 * The duration of an execution is the time workers executed it, over all its leases. Not included: waiting in the queue, waiting for an
 * approval, the time it was suspended, and the time between a failure or the loss of a worker and the lease that resumed it.
 */
export interface ExecutionTimes {
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  /** When its first lease began to execute it. */
  readonly startedAt: Date | null
  /** When its current lease resumed it; null in the first one. */
  readonly resumedAt: Date | null
  /** How long earlier leases executed it, in milliseconds. */
  readonly activeMs: number
  /** When its current lease suspended it; null unless it is suspended or waits for the next lease since. */
  readonly suspendedAt: Date | null
  /** How long all leases executed it; null until it ends, or when it never started. */
  readonly durationMs: number | null
}

/** The duration of an execution in milliseconds: the total when it has ended, else up to `at`. Null: it has not started. Never throws. */
export function executionMs(
  { status, startedAt, resumedAt, activeMs, suspendedAt, durationMs }: ExecutionTimes,
  at: Date,
): number | null {
  if (durationMs !== null) return durationMs
  const since = resumedAt ?? startedAt
  if (since === null) return null
  const until = suspendedAt !== null && suspendedAt < at ? suspendedAt : at
  return status === 'queued' ? activeMs : activeMs + Math.max(0, until.getTime() - since.getTime())
}

interface LastEvent {
  /** 0: there is no event yet. */
  readonly seq: number
  readonly at: Date | null
}

const nothing: Progress = { outcomes: [], unread: [], waits: { waits: [], wakes: 0 } }

const noEvent: LastEvent = { seq: 0, at: null }

const lastEvent = (steps: string) => `
  select first_seq + json_array_length(entries::json) - 1 as seq, (entries::json -> -1 ->> 'at')::timestamptz as at
  from (
    (
      select first_seq, entries from engine_journal where execution_id = $1 order by first_seq desc limit 1
    )
    union all
    (
      select first_seq, entries from engine_steps
      where execution_id = $1 and item = 0 and entries is not null and ${steps}
      order by first_seq desc limit 1
    )
  ) as last
  order by first_seq desc limit 1
`

const lastOfAll = lastEvent('true')
const lastOfFlow = lastEvent('step_id = any($2::text[])')

/**
 * The last event. Events are beside outcomes only in flows without containers: with the `steps` of a flow that has some, the outcomes inside
 * containers are not read. (A recovery may have continued with a version that has containers; its own event is in the journal.)
 */
export async function readLastEvent(
  executor: Executor,
  id: string,
  steps?: readonly string[],
): Promise<LastEvent> {
  const [row] = await (steps === undefined
    ? runStatement<LastEvent>(executor, lastOfAll, [id])
    : runStatement<LastEvent>(executor, lastOfFlow, [id, steps]))
  return row ?? noEvent
}
