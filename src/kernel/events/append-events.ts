import { CompiledQuery, type QueryResult } from 'kysely'
import { createGroupWriter, type Database, storableJson } from '#kernel/database'
import { eventFailure } from './errors.ts'
import { type EventData, eventChannel, type NewEvent } from './event.ts'

/** A Kysely transaction of any table type. */
export interface EventTransaction {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>
}

export interface EventAppender {
  append(events: readonly NewEvent[]): Promise<number[]>
  appendWithin(transaction: EventTransaction, events: readonly NewEvent[]): Promise<number[]>
  close(): Promise<void>
}

/** The events of one call as JSON: stored together and in this order. */
type Entry = readonly string[]

/**
 * Assigns the ids and stores the rows in one statement. The lock on the clock row is held until the commit, so ids become visible in
 * order. The time is taken under the same lock and increases with the ids.
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

/** Appends through one batch writer per process: waiting events share a statement and a commit. */
export function createEventAppender(database: Database): EventAppender {
  const writer = createGroupWriter<Entry, number[]>({
    lengthOf: (entry) => entry.reduce((sum, text) => sum + text.length, 0),
    store: storeEntries,
  })

  async function storeEntries(entries: readonly Entry[]): Promise<number[][]> {
    const [row] = await database.query<{ before: number }>(appendStatement, appendValues(entries.flat()))
    let next = readBefore(row) + 1
    return entries.map((entry) => entry.map(() => next++))
  }

  return {
    async append(events) {
      if (events.length === 0) return []
      return await writer.write(events.map(serialiseEvent))
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

/** Maximum size of an event's data as UTF-8 JSON. */
export const maxDataBytes = 256 * 1024

const typePattern = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/
const maxTypeLength = 100
const namePattern = /^[^\p{Cc}\p{Cs}]{1,200}$/u

/**
 * Validates an event and writes it as the JSON object that the append statement reads. Values that PostgreSQL would refuse are
 * detected here, because one refused row fails its whole flush. Throws `invalid_event` or `event_too_large`.
 */
export function serialiseEvent({ type, subject, account, data = {} }: NewEvent): string {
  if (type.length > maxTypeLength || !typePattern.test(type)) {
    throw eventFailure('invalid_event', {
      message: `${JSON.stringify(type)} is not a valid event type; use lower-case words such as thing.done.`,
    })
  }
  checkName('subject', subject)
  checkName('account', account)
  const text = serialiseData(type, data)
  const size = Buffer.byteLength(text)
  if (size > maxDataBytes) {
    throw eventFailure('event_too_large', {
      message: `The data of ${type} has ${size} bytes; ${maxDataBytes} are allowed.`,
      details: { size, limit: maxDataBytes },
    })
  }
  const head = JSON.stringify({ type, subject: subject ?? null, account: account ?? null })
  return `${head.slice(0, -1)},"data":${text}}`
}

function checkName(field: string, value: string | null | undefined): void {
  if (value === undefined || value === null || namePattern.test(value)) return
  throw eventFailure('invalid_event', {
    message: `The ${field} of an event must have 1 to 200 printable characters.`,
  })
}

function serialiseData(type: string, data: EventData): string {
  try {
    return storableJson(data)
  } catch (error) {
    throw eventFailure('invalid_event', {
      message: `The data of ${type} cannot be serialised as JSON.`,
      cause: error,
    })
  }
}
