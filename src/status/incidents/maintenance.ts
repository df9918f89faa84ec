import type { Database } from '#kernel/database'
import { type Executor, type RecurringTask, runStatement } from '#kernel/work'
import type { Announce, IncidentEvent } from './announce.ts'
import type { Actor } from './incident.ts'
import { insertUpdate, lockRounds, readIncident, writeClosed, writeIncident } from './store.ts'

const clockActor: Actor = { prober: true }

/** The stored state lags behind the clock. */
const isDue = `
  kind = 'maintenance' and closed_at is null
    and (ends_at <= now() or (state = 'scheduled' and starts_at <= now()))
`

const dueStatement = `select id from status_incidents where ${isDue} order by id limit 100`
const lockStatement = `select id from status_incidents where id = $1 and ${isDue} for update`

/**
 * Stores and publishes the state changes of maintenance that are due. Reads compute the state from the clock, so this may run late.
 *
 * | stored | time | next |
 * |---|---|---|
 * | scheduled | before the start | scheduled |
 * | scheduled | between start and end | under_way |
 * | scheduled, under_way | after the end | done, since the end |
 * | scheduled, under_way | any, and an operator closes it | done, since then |
 * | under_way | before the end, and an operator sets a later end | under_way until then |
 */
async function advanceMaintenance(
  database: Pick<Database, 'query' | 'transaction'>,
  announce: Announce,
): Promise<void> {
  for (const { id } of await database.query<{ id: string }>(dueStatement)) {
    await database.transaction(async (transaction) => {
      await lockRounds(transaction)
      await announce(transaction, await advanceIfDue(transaction, id))
    })
  }
}

/**
 * The same for one incident, before an operator changes it: the operator's change overwrites the stored state, so the pending state change
 * would never be published. Returns no events when none is due.
 */
export async function advanceIfDue(executor: Executor, id: string): Promise<IncidentEvent[]> {
  const locked = await runStatement(executor, lockStatement, [id])
  const incident = await readIncident(executor, id)
  if (locked.length === 0 || incident === undefined) return []
  const isDone = incident.state === 'done'
  const message = isDone ? 'The maintenance is completed.' : 'The maintenance has started.'
  const at = isDone ? incident.endsAt : incident.startsAt
  const next = isDone
    ? await writeClosed(executor, incident, incident.endsAt)
    : await writeIncident(executor, incident)
  const { state, impact } = next
  await insertUpdate(
    executor,
    { incidentId: id, state, impact, message, ...(at !== null && { at }) },
    clockActor,
  )
  return [{ type: isDone ? 'closed' : 'updated', incident: next, message, by: clockActor }]
}

const chunkSize = 500

/** Pages and feeds show less than two years. */
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
