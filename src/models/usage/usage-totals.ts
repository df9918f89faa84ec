import type { Database } from '#kernel/database'
import { usageStats } from './roll-up.ts'

/** The dimensions by which usage can be grouped. */
export const usageDimensions = ['account', 'day', 'provider', 'model', 'source', 'key', 'tag'] as const

export type UsageDimension = (typeof usageDimensions)[number]

export interface UsageFilter {
  readonly account?: string | undefined
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly source?: string | undefined
  /** The id of an API key. */
  readonly key?: string | undefined
  readonly tag?: string | undefined
}

export interface TotalsQuery extends UsageFilter {
  /** UTC days such as `2026-11-15`, both included. */
  readonly from: string
  readonly to: string
  /** Not both `key` and `tag`, nor one of them together with a filter by the other: there are no totals of that. */
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
  key: 'label',
  tag: 'label',
}

const sums = usageStats.map((stat) => `coalesce(sum(${stat}), 0)::bigint as ${stat}`).join(', ')

/** Adds up the daily totals, so the time does not depend on the number of calls. */
export async function readUsageTotals(database: Database, query: TotalsQuery): Promise<UsageReport> {
  const { groupBy } = query
  const filteredBy = (['key', 'tag'] as const).find((label) => query[label] !== undefined)
  const groupedBy = filteredBy ?? (['key', 'tag'] as const).find((label) => groupBy.includes(label))
  const [all, grouped] = [sourceOf(query, filteredBy), sourceOf(query, groupedBy)]
  const [[totals], rows] = await Promise.all([
    database.query<UsageTotals>(`select ${sums} from ${all.table} where ${all.where}`, all.values),
    groupBy.length === 0 ? [] : database.query<UsageRow>(groupedStatement(groupBy, grouped), grouped.values),
  ])
  if (totals === undefined) throw new Error('the query for usage totals returned no row')
  return { totals, rows: rows.slice(0, maxRows), truncated: rows.length > maxRows }
}

interface TotalsSource {
  readonly table: string
  readonly where: string
  readonly values: readonly unknown[]
}

/** The rows that a query adds up: of all calls, or of those with a key or a tag. */
function sourceOf(query: TotalsQuery, label: 'key' | 'tag' | undefined): TotalsSource {
  const values: unknown[] = [query.from, query.to]
  const conditions = ['day between $1::date and $2::date']
  for (const dimension of ['account', 'provider', 'model', 'source', 'key', 'tag'] as const) {
    const wanted = query[dimension]
    if (wanted !== undefined) conditions.push(`${columnOf[dimension]} = $${values.push(wanted)}`)
  }
  if (label !== undefined) conditions.push(`kind = $${values.push(label)}`)
  const table = label === undefined ? 'model_usage_days' : 'model_usage_labels'
  return { table, where: conditions.join(' and '), values }
}

function groupedStatement(groupBy: readonly UsageDimension[], { table, where }: TotalsSource): string {
  const columns = groupBy.map((dimension) => `${table}.${columnOf[dimension]}`)
  const named = groupBy.map((dimension) => `${columnOf[dimension]}::text as ${dimension}`)
  const order = [
    ...(groupBy.includes('day') ? [`${table}.day`] : []),
    'sum(micro_dollars) desc',
    'sum(calls) desc',
  ]
  return `
    select ${named.join(', ')}, ${sums}
    from ${table}
    where ${where}
    group by ${columns.join(', ')}
    order by ${[...order, ...columns].join(', ')}
    limit ${maxRows + 1}
  `
}
