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
  readonly limit: number
}

export interface CallsPage {
  /** The newest first. */
  readonly calls: readonly CallRecord[]
  /** What to send as `after` for the next page; null when this is the last. */
  readonly next: string | null
}

const fields = Object.entries(callColumns)
  .map(([column, [, field]]) => `${column} as "${field}"`)
  .join(', ')

/** A page ends at an id and the next begins there, so calls that are added meanwhile move nothing. */
export async function listCalls(database: Database, query: CallsQuery): Promise<CallsPage> {
  const { outcome, from, to, after, limit } = query
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
  wants('id < ?::uuid', after)
  const calls = await database.query<CallRecord>(
    `
      select ${fields} from model_calls
      where ${['true', ...conditions].join(' and ')}
      order by id desc
      limit $${values.push(limit + 1)}
    `,
    values,
  )
  const page = calls.slice(0, limit)
  return { calls: page, next: calls.length > limit ? (page.at(-1)?.id ?? null) : null }
}
