import { CompiledQuery, type QueryResult } from 'kysely'
import type { Database } from '#kernel/database'

/** Runs a statement on the database, or inside a transaction of any table type. */
export type Executor =
  | Pick<Database, 'query'>
  | { executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> }

/** Runs a statement and returns its rows. Throws the errors of the database. */
export async function runStatement<Row>(
  executor: Executor,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  if ('query' in executor) return executor.query<Row>(text, values)
  const { rows } = await executor.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  return rows
}
