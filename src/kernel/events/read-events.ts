import type { Database } from '#kernel/database'
import type { EventData, EventFilter, StoredEvent } from './event.ts'
import type { SizedEvent } from './event-ring.ts'

interface EventRange extends EventFilter {
  readonly after: number
  readonly upTo?: number
  readonly limit: number
}

export interface NewestOptions extends EventFilter {
  readonly before?: number | undefined
  readonly limit: number
}

/** The ids of the oldest retained event and of the newest; `oldest` is `last + 1` when there is none. */
export type EventBounds = { readonly oldest: number; readonly last: number }

export interface EventReader {
  page(range: EventRange): Promise<SizedEvent[]>
  /** The newest matching events, or the newest before an id; oldest first. */
  newest(options: NewestOptions): Promise<StoredEvent[]>
  count(filter: EventFilter): Promise<number>
  bounds(): Promise<EventBounds>
}

interface EventRow {
  readonly id: number
  readonly type: string
  readonly subject: string | null
  readonly account: string | null
  readonly data: string
  readonly created_at: Date
}

const boundsStatement = `
  select clock.last_id as last, coalesce(event.id, clock.last_id + 1) as oldest
  from kernel_event_clock as clock
  left join (select id from kernel_events order by id limit 1) as event on true
`

export function createEventReader(database: Database): EventReader {
  async function bounds() {
    const [row] = await database.query<EventBounds>(boundsStatement, [], 'events-bounds')
    if (row === undefined) throw new Error('the row of kernel_event_clock is missing')
    return row
  }

  return {
    async page({ after, upTo, limit, ...filter }) {
      const { conditions, values } = describeFilter(filter)
      conditions.push(`id > $${values.push(after)}`)
      if (upTo !== undefined) conditions.push(`id <= $${values.push(upTo)}`)
      const rows = await database.query<EventRow>(
        `
          select id, type, subject, account, data::text as data, created_at
          from kernel_events
          where ${conditions.join(' and ')}
          order by id
          limit $${values.push(limit)}
        `,
        values,
      )
      return rows.map((row) => ({ event: toStoredEvent(row), bytes: row.data.length }))
    },

    async newest({ before, limit, ...filter }) {
      const { conditions, values } = describeFilter(filter)
      if (before !== undefined) conditions.push(`id < $${values.push(before)}`)
      const rows = await database.query<EventRow>(
        `
          select id, type, subject, account, data::text as data, created_at
          from kernel_events
          where ${['true', ...conditions].join(' and ')}
          order by id desc
          limit $${values.push(limit)}
        `,
        values,
      )
      return rows.map(toStoredEvent).toReversed()
    },

    async count(filter) {
      const { conditions, values } = describeFilter(filter)
      if (conditions.length === 0) {
        // Ids have no gaps, so counting rows is not necessary.
        const { oldest, last } = await bounds()
        return last - oldest + 1
      }
      const [row] = await database.query<{ total: number }>(
        `select count(*) as total from kernel_events where ${conditions.join(' and ')}`,
        values,
      )
      return row?.total ?? 0
    },

    bounds,
  }
}

function describeFilter({ subject, account, types }: EventFilter): {
  conditions: string[]
  values: unknown[]
} {
  const values: unknown[] = []
  const conditions: string[] = []
  if (subject !== undefined) conditions.push(`subject = $${values.push(subject)}`)
  if (account !== undefined) conditions.push(`account = $${values.push(account)}`)
  if (types !== undefined) conditions.push(`type = any($${values.push(types)})`)
  return { conditions, values }
}

function toStoredEvent(row: EventRow): StoredEvent {
  return {
    id: row.id,
    type: row.type,
    subject: row.subject,
    account: row.account,
    data: JSON.parse(row.data) as EventData,
    createdAt: row.created_at,
  }
}
