import { type Executor, runStatement } from '#kernel/work'
import type { ExecutionRow } from '../store/queue.ts'

/** The columns of an execution that decide its turn. */
type GateRow = Pick<ExecutionRow, 'flow_id' | 'account_id' | 'concurrency_key'>

const turnStatement = (isKey: string) => `
  select greatest(
    (select min(gate_turn) from engine_executions where flow_id = $1 and ${isKey} and work_state = 'gated') - 1,
    (
      select max(gate_turn) from engine_executions
      where account_id = $2 and flow_id = $1 and ${isKey} and work_state = 'gated'
    ),
    0
  ) + 1 as turn
`

/**
 * The turn of an execution that comes to the gate of its flow (start-time fair queueing): after all others of its account, but not after
 * all those of other accounts. So an account with thousands of executions at the gate delays the first one of another account by one.
 */
export async function readTurn(
  transaction: Executor,
  { flow_id: flowId, account_id: accountId, concurrency_key: concurrencyKey }: GateRow,
): Promise<number> {
  const [row] = await (concurrencyKey === null
    ? runStatement<{ turn: number }>(transaction, turnStatement('concurrency_key is null'), [
        flowId,
        accountId,
      ])
    : runStatement<{ turn: number }>(transaction, turnStatement('concurrency_key = $3'), [
        flowId,
        accountId,
        concurrencyKey,
      ]))
  return row?.turn ?? 1
}
