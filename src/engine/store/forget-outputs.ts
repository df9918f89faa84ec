import type { Database } from '#kernel/database'

/** Removes what steps made on the way, for executions that are to keep their results alone. */
export async function forgetOutputs(
  database: Pick<Database, 'query'>,
  executionId: string,
  kept: readonly string[],
): Promise<void> {
  await database.query(
    'update engine_steps set output = null where execution_id = $1 and step_id <> all($2::text[]) and output is not null',
    [executionId, kept],
  )
}
