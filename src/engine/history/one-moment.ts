import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import type { RunQuery } from './read-sums.ts'

/** Runs several statements on one snapshot of the database. */
export function readAtOneMoment<Result>(
  database: Database,
  read: (run: RunQuery) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (transaction) => {
    const run: RunQuery = async <Row>(text: string, values: readonly unknown[]) =>
      (await transaction.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
    await run('set transaction isolation level repeatable read, read only', [])
    return read(run)
  })
}
