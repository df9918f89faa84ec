import type { Database } from '#kernel/database'
import type { ExecutionFilter } from './execution-filter.ts'
import { countMatches, type ExecutionListEntry, readListedExecutions } from './list-executions.ts'

/** An export of executions that is about to be read. */
export interface ExecutionExport {
  /** The number of executions it contains. */
  readonly total: number
  /** More match; the oldest are left out. */
  readonly isTruncated: boolean
  /** Pages of entries, newest first. Executions that start later are not in it. */
  readonly pages: () => AsyncGenerator<readonly ExecutionListEntry[], void>
}

const maxExported = 100_000
const pageSize = 1000

/** Prepares the export of matching executions, newest first; its pages are read one by one. */
export async function exportExecutions(
  database: Pick<Database, 'query'>,
  filter: ExecutionFilter,
): Promise<ExecutionExport> {
  const { total, isCut, asOf } = await countMatches(database, filter, maxExported)

  async function* pages(): AsyncGenerator<readonly ExecutionListEntry[], void> {
    let [before, left]: [string | undefined, number] = [undefined, total]
    while (left > 0) {
      const limit = Math.min(pageSize, left)
      const page: readonly ExecutionListEntry[] = await readListedExecutions(database, {
        ...filter,
        asOf: asOf ?? undefined,
        before,
        order: 'newest',
        among: maxExported,
        limit,
        offset: 0,
      })
      if (page.length > 0) yield page
      if (page.length < limit) return
      left -= page.length
      before = page.at(-1)?.id
    }
  }
  return { total, isTruncated: isCut, pages }
}
