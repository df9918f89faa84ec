import type { Database } from '#kernel/database'
import { measures } from './roll-up.ts'

/** By what usage can be told apart. */
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

/** What calls took together. `micro_dollars` says nothing about the `unpriced_calls` among them. */
type UsageTotals = Readonly<Record<(typeof measures)[number], number>>

type UsageRow = UsageTotals & Readonly<Partial<Record<UsageDimension, string>>>

export interface UsageReport {
  readonly totals: UsageTotals
  /** By day, the earliest first; without days, the dearest first and then the busiest. None when nothing is told apart. */
  readonly rows: readonly UsageRow[]
  /** There are more rows than are told. */
  readonly truncated: boolean
}

const mostRows = 5000

const columnOf: Readonly<Record<UsageDimension, string>> = {
  account: 'account_id',
  day: 'day',
  provider: 'provider',
  model: 'model',
  source: 'source',
}

const sums = measures.map((measure) => `coalesce(sum(${measure}), 0)::bigint as ${measure}`).join(', ')

/** Adds up the days that are kept: as quick for a million calls as for a thousand. */
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
  if (totals === undefined) throw new Error('totals were not answered')
  return { totals, rows: rows.slice(0, mostRows), truncated: rows.length > mostRows }
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
    limit ${mostRows + 1}
  `
}
