import type { Database } from '#kernel/database'
import { type CallsPage, type CallsQuery, listCalls } from './call-list.ts'
import { type ModelName, type ModelSpeed, readNamesSince, readSpeeds, type SpeedsQuery } from './speeds.ts'
import { readSeries, type SeriesQuery, type UsagePoint } from './usage-series.ts'
import { readUsageTotals, type TotalsQuery, type UsageReport } from './usage-totals.ts'

/** What models were used for, by whom, and what it took. */
export interface Usage {
  totals(query: TotalsQuery): Promise<UsageReport>
  calls(query: CallsQuery): Promise<CallsPage>
  /** What was used in each minute, hour or day of a time, by all accounts; those without anything too, the earliest first. */
  series(query: SeriesQuery): Promise<readonly UsagePoint[]>
  /** How long models took, the busiest first. */
  speeds(query: SpeedsQuery): Promise<readonly ModelSpeed[]>
  /** The models that answered since a moment. */
  namesSince(moment: Date): Promise<readonly ModelName[]>
}

export function createUsage({ database }: { readonly database: Database }): Usage {
  return {
    totals: (query) => readUsageTotals(database, query),
    calls: (query) => listCalls(database, query),
    series: (query) => readSeries(database, query),
    speeds: (query) => readSpeeds(database, query),
    namesSince: (moment) => readNamesSince(database, moment),
  }
}
