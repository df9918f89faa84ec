import { type Executor, runStatement } from '#kernel/work'
import type { StoredOutcomes } from '../execution/execution-stats.ts'
import { type OutcomeRow, readRow } from './read-outcomes.ts'

/** Outcomes per page: enough for few statements, and little enough to leave the main loop to other executions in between. */
const perPage = 5000

const flowCalls = `
  select item, step_id as "stepId", details::json as details from engine_steps
  where execution_id = $1 and seq <= $2 and right(step_id, 6) = '/$open' and details like '%"flow":%'
`

/** In the order of the primary key: there is no index by `seq`, and sorting all rows for each page would take quadratic time. */
const page = `
  select step_id, item, seq, state, attempts, started_at, finished_at, null as output, null as output_object, null::json as choice,
    null::json as error, details::json as details, spent
  from engine_steps
  where execution_id = $1 and (item, step_id) > ($3, $4) and seq <= $2
  order by item, step_id
  limit ${perPage}
`

/** Reads the outcomes of an execution for its statistics. */
export function createStoredOutcomes(executor: Executor, id: string): Omit<StoredOutcomes, 'readEnds'> {
  return {
    readFlowCalls: (lastSeq) => runStatement(executor, flowCalls, [id, lastSeq]),
    async *readPages(lastSeq) {
      let rows: OutcomeRow[] = []
      do {
        const last = rows.at(-1)
        rows = await runStatement<OutcomeRow>(executor, page, [
          id,
          lastSeq,
          last?.item ?? -1,
          last?.step_id ?? '',
        ])
        yield rows.map(readRow)
      } while (rows.length === perPage)
    },
  }
}
