import { storableJson } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import { addToJournal } from '../store/end-execution.ts'
import { workPriority } from '../store/queue.ts'
import type { NewExecution } from '../store/start-writer.ts'
import type { Gate } from './gate-of.ts'
import { type LimitName, maxGated } from './open-gate.ts'
import { readTurn } from './read-turn.ts'

export interface StoredAtGate {
  /** That of an earlier execution when this start was combined with it. */
  readonly id: string
  /**
   * | outcome   | when                                                                                  |
   * |-----------|---------------------------------------------------------------------------------------|
   * | waiting   | it is at the gate, and may pass                                                       |
   * | held      | it is at the gate until its debounce is over                                          |
   * | debounced | an execution of the same key waits at the gate, and has its input now                 |
   * | approval  | it waits for an approval, and comes to the gate after that                            |
   * | known     | an execution with this id exists; nothing was stored                                  |
   */
  readonly outcome: 'waiting' | 'held' | 'debounced' | 'approval' | 'known'
}

/**
 * Stores an execution of a flow with limits at its gate. Runs inside a transaction that has locked the gate. Throws `too_many_gated`, and
 * has written nothing then.
 */
export async function storeAtGate(
  transaction: Executor,
  execution: NewExecution,
  gate: Gate,
): Promise<StoredAtGate> {
  const { id, needsApproval } = execution
  const known = await runStatement(transaction, 'select 1 from engine_executions where id = $1', [id])
  if (known.length > 0) return { id, outcome: 'known' }
  const debounce = isCombined(execution) ? gate.debounce : null
  const combined = debounce === null ? undefined : await combine(transaction, execution, debounce)
  if (combined !== undefined) return { id: combined, outcome: 'debounced' }
  await requireCapacity(transaction, execution)
  await insert(transaction, execution, { ...gate, debounce })
  if (needsApproval) return { id, outcome: 'approval' }
  if (debounce === null) return { id, outcome: 'waiting' }
  await runStatement(transaction, holdStatement, [id])
  await recordGated(transaction, id, 'debounce')
  return { id, outcome: 'held' }
}

/** Records in the journal of an execution which limit keeps it back. */
export async function recordGated(transaction: Executor, id: string, limit: LimitName): Promise<void> {
  await addToJournal(transaction, id, 'execution_gated', { execution_id: id, limit })
}

/** A debounce that is extended leaves the earlier time: the gate is looked at once more than necessary. */
const holdStatement = `
  update engine_gates as gate set due_at = least(due_at, execution.hold_until)
  from engine_executions as execution
  where execution.id = $1 and gate.flow_id = execution.flow_id
`

/** A person decides about each execution that needs approval, and has chosen the one that is run again. A schedule has times of its own. */
function isCombined({ needsApproval, rerunOf, scheduleId }: NewExecution): boolean {
  return !needsApproval && rerunOf === undefined && scheduleId === undefined
}

/** Gives the input of this start to the execution of the same key that waits at the gate. Undefined: there is none. */
async function combine(
  transaction: Executor,
  { flowVersion, priority, input }: NewExecution,
  { key, periodMs, maxWaitMs }: NonNullable<Gate['debounce']>,
): Promise<string | undefined> {
  // An execution that is being cancelled takes no further input.
  await runStatement(
    transaction,
    `update engine_executions set debounce_key = null where debounce_key = $1 and work_state = 'gated' and cancel is not null`,
    [key],
  )
  const [row] = await runStatement<{ id: string }>(
    transaction,
    `
      update engine_executions
      set flow_version = $2, priority = $3, work_priority = $4, input = $5, debounced = debounced + 1,
        hold_until = least(
          clock_timestamp() + $6 * interval '1 millisecond',
          greatest(clock_timestamp(), created_at + $7 * interval '1 millisecond')
        )
      where debounce_key = $1 and work_state = 'gated'
      returning id
    `,
    [key, flowVersion, priority, workPriority[priority], storableJson(input), periodMs, maxWaitMs],
  )
  if (row !== undefined) await runStatement(transaction, holdStatement, [row.id])
  return row?.id
}

const retryAfterSeconds = 5

/** Counting stops at the limit. */
const countStatement = `
  select
    (select count(*) from (
      select from engine_executions where flow_id = $1 and work_state = 'gated' limit ${maxGated.perFlow}
    ) as of_flow)::integer as flow,
    (select count(*) from (
      select from engine_executions where account_id = $2 and work_state = 'gated' limit ${maxGated.perAccount}
    ) as of_account)::integer as account
`

/** Throws `too_many_gated` when the flow or the account has too many executions at the gate. */
export async function requireCapacity(
  transaction: Executor,
  { flowId, accountId }: Pick<NewExecution, 'flowId' | 'accountId'>,
): Promise<void> {
  const [count] = await runStatement<{ flow: number; account: number }>(transaction, countStatement, [
    flowId,
    accountId,
  ])
  if (count === undefined || (count.flow < maxGated.perFlow && count.account < maxGated.perAccount)) return
  throw engineFailure('too_many_gated', {
    details: {
      flow_id: flowId,
      limit: maxGated.perFlow,
      of: count.flow >= maxGated.perFlow ? 'flow' : 'account',
    },
    retryAfterSeconds,
  })
}

async function insert(transaction: Executor, execution: NewExecution, gate: Gate): Promise<void> {
  const { id, flowId, flowVersion, accountId, priority, input, needsApproval } = execution
  await runStatement(
    transaction,
    `
      insert into engine_executions (
        id, flow_id, flow_version, account_id, priority, work_priority, input, approval, schedule_id, rerun_of, trigger_id,
        concurrency_key, throttle_key, debounce_key, hold_until, debounced, gated_at, created_at, work_state, work_due_at,
        gate_turn
      )
      values (
        $1, $2, $3, $4, $5, $6, $7, case when $8 then 'pending' end, $9, $10, $11, $12, $13, $14,
        clock_timestamp() + $15 * interval '1 millisecond', case when $14::text is null then null else 1 end,
        case when $8 then null else clock_timestamp() end, clock_timestamp(), case when $8 then 'queued' else 'gated' end, 'infinity',
        $16
      )
    `,
    [
      id,
      flowId,
      flowVersion,
      accountId,
      priority,
      workPriority[priority],
      storableJson(input),
      needsApproval,
      execution.scheduleId ?? null,
      execution.rerunOf ?? null,
      execution.triggerId ?? null,
      gate.concurrencyKey,
      gate.throttleKey,
      gate.debounce?.key ?? null,
      gate.debounce?.periodMs ?? null,
      await readTurn(transaction, {
        flow_id: flowId,
        account_id: accountId,
        concurrency_key: gate.concurrencyKey,
      }),
    ],
  )
}
