import { readSettings } from '#kernel/config'
import { createBatchWriter, databaseSettings, openDatabase } from '#kernel/database'
import { quiet } from '../embedded-database.ts'

/**
 * Appends events like one process of the platform: fifty callers, each waiting for its commit, through one batch writer. Arguments: the
 * name of the statement and the duration in milliseconds. Prints the number of stored events.
 */

const insertFrom = (ids: string, source: string) => `
  insert into bench_events (${ids}, type, subject, account, data, created_at)
  select ${source}, entry.type, entry.subject, entry.account, entry.data, clock_timestamp()
`
const entries = `
  rows from (json_to_recordset($2::json) as (type text, subject text, account text, data jsonb))
  with ordinality as entry (type, subject, account, data, position)
`

/** All statements have the same parameters, and differ in the origin of the ids. */
const statements: Readonly<Record<string, string>> = {
  sequence: `
    ${insertFrom('id', `nextval('bench_event_ids') + 0 * $1::bigint`)} from ${entries}
  `,
  counter: `
    with clock as (
      update bench_event_clock set last_id = last_id + $1 returning last_id - $1 as before
    )
    ${insertFrom('id', 'clock.before + entry.position')} from clock, ${entries}
  `,
  'counter and notify': `
    with clock as (
      update bench_event_clock set last_id = last_id + $1 returning last_id - $1 as before
    ),
    stored as (${insertFrom('id', 'clock.before + entry.position')} from clock, ${entries})
    select pg_notify('bench_events', '') from clock
  `,
}

const [name = '', durationMs = '0'] = process.argv.slice(2)
const statement = statements[name]
if (statement === undefined) throw new Error(`unknown statement ${name}`)

await using database = await openDatabase({
  settings: readSettings(databaseSettings, process.env),
  log: quiet,
})
await using writer = createBatchWriter<string, undefined>({
  async flush(events) {
    await database.query(statement, [events.length, `[${events.join(',')}]`])
    return events.map(() => undefined)
  },
})

const event = JSON.stringify({
  type: 'execution.step_completed',
  subject: 'exec_0123456789',
  account: 'account_0123',
  data: { step_id: 'summarise', tokens_used: 420, cost: 1200, text: 'x'.repeat(120) },
})

// The first statement of a connection includes the time to connect.
await writer.write(event)
const startedAt = performance.now()
let stored = 0
await Promise.all(
  Array.from({ length: 50 }, async () => {
    while (performance.now() - startedAt < Number(durationMs)) {
      await writer.write(event)
      stored += 1
    }
  }),
)
process.stdout.write(`${(stored / (performance.now() - startedAt)) * 1000}\n`)
