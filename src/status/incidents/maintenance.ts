import type { Database } from '#kernel/database'
import { type Executor, type RecurringTask, runStatement } from '#kernel/work'
import type { Announce, News } from './announce.ts'
import type { By } from './incident.ts'
import { insertUpdate, readIncident, takeTurn, writeClosed, writeIncident } from './store.ts'

const clock: By = { prober: true }

/** The clock has left behind what is written down. */
const isDue = `
  kind = 'maintenance' and closed_at is null
    and (ends_at <= now() or (state = 'scheduled' and starts_at <= now()))
`

const dueStatement = `select id from status_incidents where ${isDue} order by id limit 100`
const holdStatement = `select id from status_incidents where id = $1 and ${isDue} for update`

/**
 * Writes down and tells what the clock has done to maintenance. Whoever reads looks at the clock anyway, so this may come late.
 *
 * | written | the time is | next |
 * |---|---|---|
 * | scheduled | before its start | scheduled |
 * | scheduled | from its start to its end | under_way |
 * | scheduled, under_way | after its end | done, since its end |
 * | scheduled, under_way | any, and somebody closes it | done, since then |
 * | under_way | before its end, and somebody sets a later end | under_way until then |
 */
async function advanceMaintenance(
  database: Pick<Database, 'query' | 'transaction'>,
  announce: Announce,
): Promise<void> {
  for (const { id } of await database.query<{ id: string }>(dueStatement)) {
    await database.transaction(async (transaction) => {
      await takeTurn(transaction)
      await announce(transaction, await catchUp(transaction, id))
    })
  }
}

/**
 * The same for one, in the turn of whoever changes it: they write down what they read, and what nobody had told before would never be. Nothing
 * when the clock has left nothing behind, as when somebody closed it or set another time in the moment since.
 */
export async function catchUp(executor: Executor, id: string): Promise<News[]> {
  const held = await runStatement(executor, holdStatement, [id])
  const incident = await readIncident(executor, id)
  if (held.length === 0 || incident === undefined) return []
  const isOver = incident.state === 'done'
  const message = isOver ? 'The maintenance is over.' : 'The maintenance has begun.'
  const at = isOver ? incident.endsAt : incident.startsAt
  const next = isOver
    ? await writeClosed(executor, incident, incident.endsAt)
    : await writeIncident(executor, incident)
  const { state, impact } = next
  await insertUpdate(executor, { incidentId: id, state, impact, message, ...(at !== null && { at }) }, clock)
  return [{ what: isOver ? 'closed' : 'updated', incident: next, message, by: clock }]
}

const chunkSize = 500

/** Longer than any page or feed looks back. */
const pruneStatement = `
  delete from status_incidents where id in (
    select id from status_incidents
    where closed_at < now() - interval '2 years'
    order by closed_at
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

export function createIncidentTasks(database: Database, announce: Announce): readonly RecurringTask[] {
  return [
    {
      name: 'status.maintenance',
      everyMs: 15_000,
      run: () => advanceMaintenance(database, announce),
    },
    {
      name: 'status.incidents.prune',
      everyMs: 24 * 3_600_000,
      async run(signal) {
        do signal.throwIfAborted()
        while ((await database.query(pruneStatement)).length === chunkSize)
      },
    },
  ]
}
