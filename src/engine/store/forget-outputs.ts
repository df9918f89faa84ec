import { type Executor, runStatement } from '#kernel/work'

/** Removes the outputs of an execution but those of the kept steps, in the transaction that ends it. */
export async function forgetOutputs(
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
