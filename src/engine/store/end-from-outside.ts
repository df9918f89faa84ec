import { randomInt } from 'node:crypto'
import { type Executor, runStatement } from '#kernel/work'
import { createTally } from '../execution/facts.ts'
import { keptOutputs } from '../execution/kept-outputs.ts'
import { rulesOf } from '../execution/rules.ts'
import type { FlowVersions } from '../flows/flow-versions.ts'
import { endShards } from './admission.ts'
import type { ExecutionEnd } from './commit.ts'
import { executionMs } from './execution-time.ts'
import { forgetOutputs } from './forget-outputs.ts'
import { readLastEvent, readOutcomes, timesOf } from './load-execution.ts'
import { type ExecutionRow, executionQueue } from './queue.ts'

interface EndFromOutside extends ExecutionEnd {
  /** Told with the end in the journal. */
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

type RowBefore = Pick<ExecutionRow, 'status' | 'started_at' | 'resumed_at' | 'active_ms'> & {
  readonly parked: boolean
  readonly work_state: 'queued' | 'running' | 'finished'
}

/**
 * Ends an execution that nobody works on, or takes it from whoever does: their fence no longer holds. Runs inside a transaction.
 * What was set aside for calls counts as spent, because nobody knows what became of them. Answers the account, or undefined when
 * the execution was over already.
 */
export async function endFromOutside(
  transaction: Executor,
  versions: FlowVersions,
  id: string,
  { status, error, data = {} }: EndFromOutside,
): Promise<string | undefined> {
  // What is parked was never let in, so its end makes no room.
  const [before] = await runStatement<RowBefore>(
    transaction,
    `
      select work_due_at = 'infinity' as parked, work_state, status, started_at, resumed_at, active_ms
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
  if (row === undefined) throw new Error(`execution ${id} is not there`)
  const definition = await versions.readInside(transaction, row.flow_id, row.flow_version)
  const outcomes = await readOutcomes(transaction, id)
  const finishedAt = new Date()
  const { at: lastAt } = await readLastEvent(transaction, id)
  // Without a worker nothing has executed it since it last stored something.
  const until = before.work_state === 'running' ? finishedAt : (lastAt ?? before.started_at ?? finishedAt)
  const durationMs = executionMs(timesOf(before), until) ?? 0
  const spent = row.spent + row.reserved
  const graph = versions.graphOf(definition)
  const rules = rulesOf(definition, row.input, finishedAt)
  const tally = createTally(graph.steps)
  for (const outcome of outcomes) tally.add(outcome)
  const facts = tally.close(
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
  if (kept !== undefined) await forgetOutputs(transaction, id, kept)
  if (rules.counts) {
    await runStatement(transaction, 'insert into engine_finished (execution_id) values ($1)', [id])
  }
  if (!before.parked) await countEnd(transaction, row.account_id)
  await addToJournal(transaction, id, `execution_${status}`, {
    execution_id: id,
    status,
    duration: durationMs / 1000,
    total_cost: spent / 1e6,
    unpriced: facts.unpriced,
    ...(error !== null && { error }),
    ...data,
  })
  return row.account_id
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

/** Adds to the journal of an execution that nobody holds; the transaction must have raised its fence, or hold its row. */
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
      with told as (insert into engine_journal (execution_id, first_seq, entries) values ($1, $2, $3))
      insert into engine_outbox (execution_id, first_seq, account_id)
      select id, $2, account_id from engine_executions where id = $1
    `,
    [id, seq, JSON.stringify([{ seq, at: new Date(), type, data }])],
  )
}
