import { CompiledQuery, type QueryResult } from 'kysely'
import { createBatchWriter, type Database, storeInGroups, valueOfOutcome } from '#kernel/database'
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
  const writer = createBatchWriter({
    flush: (entries: readonly Entry[]) =>
      storeInGroups(entries, {
        lengthOf: (entry) => entry.reduce((sum, text) => sum + text.length, 0),
        store: storeEntries,
      }),
  })

  async function storeEntries(entries: readonly Entry[]): Promise<number[][]> {
    const [row] = await database.query<{ before: number }>(appendStatement, appendValues(entries.flat()))
    let next = readBefore(row) + 1
    return entries.map((entry) => entry.map(() => next++))
  }

  return {
    async append(events) {
      if (events.length === 0) return []
      return valueOfOutcome(await writer.write(events.map(serialiseEvent)))
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
