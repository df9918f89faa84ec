import type { Database } from '#kernel/database'
import { type CallOutcome, type CallRecord, callColumns } from './call-record.ts'
import type { UsageFilter } from './usage-totals.ts'

export interface CallsQuery extends UsageFilter {
  readonly outcome?: CallOutcome | undefined
  /** Calls that began at this time or later. */
  readonly from?: Date | undefined
  /** Calls that began before this time. */
  readonly to?: Date | undefined
  /** Goes on after the call of this id, which was the last of the page before. */
  readonly after?: string | undefined
  /** Calls that had ended at this moment: a call that ends later does not move the pages. */
  readonly asOf?: Date | undefined
  readonly limit: number
  /** Calls to skip. */
  readonly offset?: number | undefined
}

export interface CallsPage {
  /** The newest first. */
  readonly calls: readonly CallRecord[]
  /** What to send as `after` for the next page; null when this is the last. */
  readonly next: string | null
  /** Calls that match, on all pages. */
  readonly total: number
}

const fields = Object.entries(callColumns)
  .map(([column, [, field]]) => `${column} as "${field}"`)
  .join(', ')

/**
 * A page by number counts from the newest call, so a caller fixes it with `asOf`; with `after`, a page begins where the one
 * before it ended. Rows are written when a call ends, their ids are from when it began.
 */
export async function listCalls(database: Database, query: CallsQuery): Promise<CallsPage> {
  const { outcome, from, to, after, asOf, limit, offset = 0 } = query
  const values: unknown[] = []
  const conditions: string[] = []
  const wants = (condition: string, value: unknown) => {
    if (value !== undefined) conditions.push(condition.replace('?', `$${values.push(value)}`))
  }
  wants('account_id = ?', query.account)
  wants('provider = ?', query.provider)
  wants('model = ?', query.model)
  wants('source = ?', query.source)
  wants('outcome = ?', outcome)
  wants('started_at >= ?', from)
  wants('started_at < ?', to)
  wants("started_at + coalesce(latency_ms, 0) * interval '1 millisecond' <= ?", asOf)
  const counting = database.query<{ total: number }>(
    `select count(*) as total from model_calls where ${['true', ...conditions].join(' and ')}`,
    [...values],
  )
  wants('id < ?::uuid', after)
  const reading = database.query<CallRecord>(
    `
      select ${fields} from model_calls
      where ${['true', ...conditions].join(' and ')}
      order by id desc
      limit $${values.push(limit + 1)} offset $${values.push(offset)}
    `,
    values,
  )
  const [calls, [counted]] = await Promise.all([reading, counting])
  const page = calls.slice(0, limit)
  return {
    calls: page,
    next: calls.length > limit ? (page.at(-1)?.id ?? null) : null,
    total: counted?.total ?? 0,
  }
}
