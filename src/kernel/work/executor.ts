import { CompiledQuery, type QueryResult } from 'kysely'
import type { Database } from '#kernel/database'

/** Where a statement runs: on the database by itself, or inside a transaction, whatever tables its type knows. */
export type Executor =
  | Pick<Database, 'query'>
  | { executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> }

export async function runStatement<Row>(
  executor: Executor,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  if ('query' in executor) return executor.query<Row>(text, values)
  const { rows } = await executor.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  return rows
}
