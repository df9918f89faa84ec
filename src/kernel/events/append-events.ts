import { CompiledQuery, type QueryResult } from 'kysely'
import { DatabaseError } from 'pg'
import { type BatchWriter, createBatchWriter, type Database } from '#kernel/database'
import type { NewEvent } from './event.ts'
import { eventChannel } from './event-channel.ts'
import { serialiseEvent } from './serialise-event.ts'

/** Any Kysely transaction, whatever tables its type knows. */
export interface EventTransaction {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>
}

export interface EventAppender {
  append(events: readonly NewEvent[]): Promise<number[]>
  appendWithin(transaction: EventTransaction, events: readonly NewEvent[]): Promise<number[]>
  close(): Promise<void>
}

/** Events of one call, already written as JSON: they are stored together and in this order. */
type Entry = readonly string[]

type Outcome = { readonly ids: number[] } | { readonly error: unknown }

/** About what one statement carries at most, so that a crowd of large events cannot make one of hundreds of megabytes. */
const maxStatementLength = 4 * 1024 * 1024

/**
 * Draws the ids and stores the rows in one statement. The lock on the clock row is held from here to the commit, so
 * ids become visible in their order; the time is taken under the same lock and grows with them.
 */
const appendStatement = `
  with clock as (
    update kernel_event_clock set last_id = last_id + $1 returning last_id - $1 as before
  ),
  stored as (
    insert into kernel_events (id, type, subject, account, data, created_at)
    select clock.before + entry.position, entry.type, entry.subject, entry.account, entry.data, clock_timestamp()
    from clock,
      rows from (json_to_recordset($2::json) as (type text, subject text, account text, data jsonb))
      with ordinality as entry (type, subject, account, data, position)
  )
  select before, pg_notify('${eventChannel}', '') from clock
`

/** Appends through one writer per process: all events that are waiting share a statement and a commit. */
export function createEventAppender(database: Database): EventAppender {
  const writer: BatchWriter<Entry, Outcome> = createBatchWriter({ flush: flushEntries })

  async function flushEntries(entries: readonly Entry[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (const group of groupBySize(entries)) outcomes.push(...(await storeGroup(group)))
    return outcomes
  }

  async function storeGroup(group: readonly Entry[]): Promise<Outcome[]> {
    try {
      const texts = group.flat()
      const [row] = await database.query<{ before: number }>(appendStatement, appendValues(texts))
      let next = readBefore(row) + 1
      return group.map((entry) => ({ ids: entry.map(() => next++) }))
    } catch (error) {
      if (group.length === 1 || !isRefusedContent(error)) return group.map(() => ({ error }))
      // Nothing was stored. One by one, only the event that PostgreSQL cannot take fails.
      const outcomes: Outcome[] = []
      for (const entry of group) outcomes.push(...(await storeGroup([entry])))
      return outcomes
    }
  }

  return {
    async append(events) {
      if (events.length === 0) return []
      const outcome = await writer.write(events.map(serialiseEvent))
      if ('error' in outcome) throw outcome.error
      return outcome.ids
    },

    async appendWithin(transaction, events) {
      if (events.length === 0) return []
      const texts = events.map(serialiseEvent)
      const { rows } = await transaction.executeQuery<{ before: number }>(
        CompiledQuery.raw(appendStatement, appendValues(texts)),
      )
      const before = readBefore(rows[0])
      return texts.map((_, index) => before + 1 + index)
    },

    close: () => writer.close(),
  }
}

function appendValues(texts: readonly string[]): unknown[] {
  return [texts.length, `[${texts.join(',')}]`]
}

function readBefore(row: { readonly before: number } | undefined): number {
  if (row === undefined) throw new Error('the row of kernel_event_clock is missing')
  return row.before
}

/** SQLSTATE classes that speak of what was sent: data exceptions, broken constraints, limits such as nesting. */
function isRefusedContent(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:22|23|54)/.test(error.code ?? '')
}

function groupBySize(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = []
  let room = 0
  for (const entry of entries) {
    const length = entry.reduce((sum, text) => sum + text.length, 0)
    if (length > room || groups.length === 0) {
      groups.push([])
      room = maxStatementLength
    }
    groups.at(-1)?.push(entry)
    room -= length
  }
  return groups
}
