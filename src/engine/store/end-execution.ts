import { randomInt } from 'node:crypto'
import { type Executor, runStatement } from '#kernel/work'
import { addStored } from '../execution/execution-stats.ts'
import { keptOutputs, rulesOf } from '../execution/rules.ts'
import { createStatsCollector } from '../execution/stats.ts'
import { createLoadedFlows, createStepFinder } from '../execution/sub-flows.ts'
import type { FinishedExecution } from '../execution-metrics.ts'
import type { FlowVersions } from '../flows/read-flows.ts'
import { endShards } from './admission.ts'
import type { ExecutionEnd } from './commit.ts'
import { type ExecutionRow, executionQueue, type WorkState } from './queue.ts'
import { executionMs, readLastEvent, timesOf } from './read-execution.ts'
import { createStoredOutcomes } from './stored-outcomes.ts'

/** The largest `seq` that a row can have. */
const maxSeq = 2 ** 31 - 1

interface RequestedEnd extends ExecutionEnd {
  /** Added to the event of the end. */
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

type RowBefore = Pick<ExecutionRow, 'status' | 'started_at' | 'resumed_at' | 'active_ms' | 'suspended_at'> & {
  readonly has_slot: boolean
  readonly work_state: WorkState
}

/** An execution that was ended: its account may have a free slot now, and the gate of its flow as well. */
export type EndedRow = Pick<ExecutionRow, 'account_id' | 'flow_id' | 'concurrency_key' | 'throttle_key'>

/**
 * Ends an execution without its worker: raising the fence revokes the lease of a worker that has it. Runs inside a transaction.
 * Reservations for calls count as spent, because the outcome of the calls is unknown. Returns undefined when the
 * execution had ended already.
 */
export async function endExecution(
  transaction: Executor,
  versions: FlowVersions,
  id: string,
  { status, error, data = {} }: RequestedEnd,
): Promise<(EndedRow & FinishedExecution) | undefined> {
  // A parked, gated or suspended execution has no slot of its account, so its end frees none.
  const [before] = await runStatement<RowBefore>(
    transaction,
    `
      select work_state = 'running' or (work_state = 'queued' and work_due_at <> 'infinity') as has_slot,
        work_state, status, started_at, resumed_at, active_ms, suspended_at
      from engine_executions where id = $1 for no key update
    `,
    [id],
  )
  const ended = await executionQueue.cancel(transaction, id, { status, error })
  if (!ended || before === undefined) return undefined
  const [row] = await runStatement<ExecutionRow>(
    transaction,
    'select * from engine_executions where id = $1',
    [id],
  )
  if (row === undefined) throw new Error(`execution ${id} not found`)
  const definition = await versions.readInside(transaction, row.flow_id, row.flow_version)
  const finishedAt = new Date()
  const { at: lastAt } = await readLastEvent(transaction, id)
  // Without a worker, its duration counts up to its last commit.
  const until = before.work_state === 'running' ? finishedAt : (lastAt ?? before.started_at ?? finishedAt)
  const durationMs = executionMs(timesOf(before), until) ?? 0
  const spent = row.spent + row.reserved
  const graph = versions.graphOf(definition)
  const rules = rulesOf(definition, row.input, finishedAt)
  const flows = createLoadedFlows(versions, (ref) => versions.readInside(transaction, ref.id, ref.version))
  const findStep = createStepFinder(graph, (ref) => flows.get(ref).graph)
  const stats = createStatsCollector(findStep)
  const stored = createStoredOutcomes(transaction, id)
  await addStored(stats, { stored, lastSeq: maxSeq, subFlows: flows, findStep })
  const facts = stats.close(
    {
      flowId: row.flow_id,
      flowVersion: row.flow_version,
      accountId: row.account_id,
      priority: row.priority,
      createdAt: row.created_at,
      startedAt: row.started_at,
      items: row.input.batch?.items.length ?? 0,
    },
    { status, errorCode: error?.code ?? null, finishedAt, durationMs, spent, peakBytes: 0 },
  )
  await runStatement(
    transaction,
    `
      update engine_executions
      set facts = $2, spent = $3, reserved = 0, finished_at = $4
      where id = $1
    `,
    [id, JSON.stringify(facts), spent, finishedAt],
  )
  const kept =
    status === 'cancelled' && row.cancel?.cleanup === true ? [] : keptOutputs({ rules, graph, status })
  if (kept !== undefined) await removeOutputs(transaction, id, kept)
  if (rules.counts) {
    await runStatement(transaction, 'insert into engine_finished (execution_id) values ($1)', [id])
  }
  if (before.has_slot) await countEnd(transaction, row.account_id)
  await addToJournal(transaction, id, `execution_${status}`, {
    execution_id: id,
    status,
    duration: durationMs / 1000,
    total_cost: spent / 1e6,
    unpriced: facts.unpriced,
    ...(error !== null && { error }),
    ...data,
  })
  return { ...row, status, durationMs: facts.duration_ms }
}

async function countEnd(transaction: Executor, accountId: string): Promise<void> {
  await runStatement(
    transaction,
    `
      insert into engine_account_ends as known (account_id, shard, ended) values ($1, $2, 1)
      on conflict (account_id, shard) do update set ended = known.ended + 1
    `,
    [accountId, randomInt(endShards)],
  )
}

/** Appends an event to the journal of an execution. The transaction must have raised its fence, or locked its row. */
export async function addToJournal(
  transaction: Executor,
  id: string,
  type: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const seq = (await readLastEvent(transaction, id)).seq + 1
  await runStatement(
    transaction,
    `
      with added as (insert into engine_journal (execution_id, first_seq, entries) values ($1, $2, $3))
      insert into engine_outbox (execution_id, first_seq, account_id)
      select id, $2, account_id from engine_executions where id = $1
    `,
    [id, seq, JSON.stringify([{ seq, at: new Date(), type, data }])],
  )
}

/** Removes the outputs of an execution except those of the kept steps, in the transaction that ends it. */
async function removeOutputs(
  transaction: Executor,
  executionId: string,
  kept: readonly string[],
): Promise<void> {
  await runStatement(
    transaction,
    'update engine_steps set output = null where execution_id = $1 and step_id <> all($2::text[]) and output is not null',
    [executionId, kept],
  )
}
