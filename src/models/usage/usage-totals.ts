import type { Database } from '#kernel/database'
import { usageStats } from './roll-up.ts'

/** The dimensions by which usage can be grouped. */
export const usageDimensions = ['account', 'day', 'provider', 'model', 'source'] as const

export type UsageDimension = (typeof usageDimensions)[number]

export interface UsageFilter {
  readonly account?: string | undefined
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly source?: string | undefined
}

export interface TotalsQuery extends UsageFilter {
  /** UTC days such as `2026-11-15`, both included. */
  readonly from: string
  readonly to: string
  readonly groupBy: readonly UsageDimension[]
}

/** The usage of several calls. `micro_dollars` does not contain the `unpriced_calls`. */
type UsageTotals = Readonly<Record<(typeof usageStats)[number], number>>

type UsageRow = UsageTotals & Readonly<Partial<Record<UsageDimension, string>>>

export interface UsageReport {
  readonly totals: UsageTotals
  /** By day, the earliest first; without days, by cost and then by calls, descending. Empty without groups. */
  readonly rows: readonly UsageRow[]
  /** There are more rows than these. */
  readonly truncated: boolean
}

const maxRows = 5000

const columnOf: Readonly<Record<UsageDimension, string>> = {
  account: 'account_id',
  day: 'day',
  provider: 'provider',
  model: 'model',
  source: 'source',
}

const sums = usageStats.map((stat) => `coalesce(sum(${stat}), 0)::bigint as ${stat}`).join(', ')

/** Adds up the daily totals, so the time does not depend on the number of calls. */
export async function readUsageTotals(database: Database, query: TotalsQuery): Promise<UsageReport> {
  const { from, to, groupBy } = query
  const values: unknown[] = [from, to]
  const conditions = ['day between $1::date and $2::date']
  for (const dimension of ['account', 'provider', 'model', 'source'] as const) {
    const wanted = query[dimension]
    if (wanted !== undefined) conditions.push(`${columnOf[dimension]} = $${values.push(wanted)}`)
  }
  const where = conditions.join(' and ')
  const [[totals], rows] = await Promise.all([
    database.query<UsageTotals>(`select ${sums} from model_usage_days where ${where}`, values),
    groupBy.length === 0 ? [] : database.query<UsageRow>(groupedStatement(groupBy, where), values),
  ])
  if (totals === undefined) throw new Error('the query for usage totals returned no row')
  return { totals, rows: rows.slice(0, maxRows), truncated: rows.length > maxRows }
}

function groupedStatement(groupBy: readonly UsageDimension[], where: string): string {
  const columns = groupBy.map((dimension) => columnOf[dimension])
  const named = groupBy.map((dimension) => `${columnOf[dimension]}::text as ${dimension}`)
  const order = [
    ...(groupBy.includes('day') ? ['model_usage_days.day'] : []),
    'sum(micro_dollars) desc',
    'sum(calls) desc',
  ]
  return `
    select ${named.join(', ')}, ${sums}
    from model_usage_days
    where ${where}
    group by ${columns.map((column) => `model_usage_days.${column}`).join(', ')}
    order by ${[...order, ...columns.map((column) => `model_usage_days.${column}`)].join(', ')}
    limit ${maxRows + 1}
  `
}
