import type { Database } from '#kernel/database'
import { type CallsPage, type CallsQuery, listCalls } from './call-list.ts'
import { readUsageTotals, type TotalsQuery, type UsageReport } from './usage-totals.ts'

/** What models were used for, by whom, and what it took. */
export interface Usage {
  totals(query: TotalsQuery): Promise<UsageReport>
  calls(query: CallsQuery): Promise<CallsPage>
}

export function createUsage({ database }: { readonly database: Database }): Usage {
  return {
    totals: (query) => readUsageTotals(database, query),
    calls: (query) => listCalls(database, query),
  }
}
