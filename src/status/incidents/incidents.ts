import type { Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Announce, News } from './announce.ts'
import { maxUpdates } from './follow-outages.ts'
import type { By, Impact, Incident, IncidentKind, IncidentState, IncidentUpdate } from './incident.ts'
import { catchUp } from './maintenance.ts'
import {
  countOpen,
  countUpdates,
  type IncidentFilter,
  insertIncident,
  insertUpdate,
  listIncidents,
  lockIncident,
  readIncident,
  readUpdates,
  removeIncident,
  takeTurn,
  writeClosed,
  writeIncident,
} from './store.ts'

/** An incident with what was said about it, the newest first. */
export interface ToldIncident {
  readonly incident: Incident
  readonly updates: readonly IncidentUpdate[]
}

export interface NewIncident {
  readonly id: string
  readonly kind: IncidentKind
  readonly title: string
  readonly impact: Impact
  readonly services: readonly string[]
  readonly state: IncidentState
  readonly message: string
  readonly startsAt: Date | null
  readonly endsAt: Date | null
}

export type IncidentChange = Partial<
  Pick<Incident, 'title' | 'impact' | 'services'> & { readonly startsAt: Date; readonly endsAt: Date }
>

export interface NewIncidentUpdate {
  readonly message: string
  readonly state?: IncidentState | undefined
  readonly impact?: Impact | undefined
}

/** What people do with incidents, and maintenance. */
export interface Incidents {
  list(
    filter: IncidentFilter,
  ): Promise<{ readonly incidents: readonly ToldIncident[]; readonly total: number }>
  read(id: string): Promise<ToldIncident>
  /** One that is there with this id is answered, and no second one made. */
  open(incident: NewIncident, accountId: string | null): Promise<ToldIncident>
  change(id: string, change: IncidentChange, accountId: string | null): Promise<ToldIncident>
  /** With the last of its states, it is closed. One that is closed can still be added to. */
  update(id: string, update: NewIncidentUpdate, accountId: string | null): Promise<ToldIncident>
  close(id: string, message: string | undefined, accountId: string | null): Promise<ToldIncident>
  remove(id: string, accountId: string | null): Promise<void>
}

/** What somebody works on at once; more is a script that has lost its way. */
const maxOpen = 200

export function createIncidents({
  database,
  announce,
}: {
  readonly database: Database
  readonly announce: Announce
}): Incidents {
  async function read(id: string): Promise<ToldIncident> {
    const incident = await readIncident(database, id)
    if (incident === undefined) throw noSuchIncident(id)
    return { incident, updates: (await readUpdates(database, [id], maxUpdates)).get(id) ?? [] }
  }

  /** Does something with one that nobody else changes meanwhile, tells of it, and answers it as it is then. */
  async function withIncident(
    id: string,
    work: (transaction: Transaction<NoTables>, incident: Incident) => Promise<News>,
  ): Promise<ToldIncident> {
    await database.transaction(async (transaction) => {
      await takeTurn(transaction)
      const before = await catchUp(transaction, id)
      const incident = await lockIncident(transaction, id)
      if (incident === undefined) throw noSuchIncident(id)
      await announce(transaction, [...before, await work(transaction, incident)])
    })
    return await read(id)
  }

  return {
    read,

    async list(filter) {
      const { incidents, total } = await listIncidents(database, filter)
      const updates = await readUpdates(
        database,
        incidents.map(({ id }) => id),
        1,
      )
      const told = incidents.map((incident) => ({ incident, updates: updates.get(incident.id) ?? [] }))
      return { incidents: told, total }
    },

    async open(wish, accountId) {
      const { id, kind, message } = wish
      if (kind === 'maintenance') requirePlan(wish.startsAt, wish.endsAt)
      await database.transaction(async (transaction) => {
        await takeTurn(transaction)
        if ((await countOpen(transaction)) >= maxOpen) throw tooManyOpen(maxOpen)
        const incident = await insertIncident(transaction, wish, { accountId })
        if (incident === undefined) return
        const { state, impact } = incident
        await insertUpdate(transaction, { incidentId: id, state, impact, message }, { accountId })
        await announce(transaction, [{ what: 'opened', incident, message, by: { accountId } }])
      })
      return await read(id)
    },

    change: (id, change, accountId) =>
      withIncident(id, async (transaction, incident) => {
        const { startsAt, endsAt, ...rest } = change
        if (incident.closedAt !== null && Object.keys(change).some((name) => name !== 'title')) {
          throw isClosed('It is closed; only its title can be changed.')
        }
        const changed = { ...incident, ...rest, ...changePlan(incident, { startsAt, endsAt }) }
        const written = await writeIncident(transaction, changed)
        return { what: 'updated', incident: written, message: null, by: { accountId } }
      }),

    update: (id, { message, state, impact }, accountId) =>
      withIncident(id, async (transaction, incident) => {
        const by = { accountId }
        if ((await countUpdates(transaction, id)) >= maxUpdates) throw tooManyUpdates(maxUpdates)
        if (incident.closedAt !== null && (state ?? impact) !== undefined) {
          throw isClosed('It is closed: it can be added to, but its state and impact stay as they are.')
        }
        const changed = { ...incident, impact: impact ?? incident.impact, state: state ?? incident.state }
        if (state === 'resolved') {
          await writeIncident(transaction, { ...changed, state: incident.state })
          return await endIncident(transaction, changed, message, by)
        }
        const written = await writeIncident(transaction, changed)
        await insertUpdate(
          transaction,
          { incidentId: id, state: written.state, impact: written.impact, message },
          by,
        )
        return { what: 'updated', incident: written, message, by }
      }),

    close: (id, message, accountId) =>
      withIncident(id, (transaction, incident) => endIncident(transaction, incident, message, { accountId })),

    remove: (id, accountId) =>
      database.transaction(async (transaction) => {
        await takeTurn(transaction)
        const incident = await removeIncident(transaction, id)
        if (incident === undefined) throw noSuchIncident(id)
        await announce(transaction, [{ what: 'removed', incident, message: null, by: { accountId } }])
      }),
  }
}

async function endIncident(
  transaction: Transaction<NoTables>,
  incident: Incident,
  message: string | undefined,
  by: By,
): Promise<News> {
  if (incident.closedAt !== null) throw isClosed('It is closed already.')
  const closed = await writeClosed(transaction, incident)
  const { id, state, impact } = closed
  const words = message ?? endWords(incident)
  await insertUpdate(transaction, { incidentId: id, state, impact, message: words }, by)
  return { what: 'closed', incident: closed, message: words, by }
}

function endWords({ kind, state }: Incident): string {
  if (kind === 'incident') return 'This incident is resolved.'
  return state === 'scheduled' ? 'The maintenance was called off.' : 'The maintenance is over.'
}

function changePlan(
  { startsAt, endsAt, state }: Incident,
  change: { readonly startsAt: Date | undefined; readonly endsAt: Date | undefined },
): Pick<Incident, 'startsAt' | 'endsAt'> {
  if (change.startsAt === undefined && change.endsAt === undefined) return { startsAt, endsAt }
  if (change.startsAt !== undefined && state === 'under_way') {
    throw wrongField('starts_at', 'cannot change: the maintenance has begun')
  }
  const plan = { startsAt: change.startsAt ?? startsAt, endsAt: change.endsAt ?? endsAt }
  return requirePlan(plan.startsAt, plan.endsAt, { hasBegun: state === 'under_way' })
}

function requirePlan(
  startsAt: Date | null,
  endsAt: Date | null,
  { hasBegun = false }: { readonly hasBegun?: boolean } = {},
): Plan {
  if (startsAt === null || endsAt === null) throw wrongField('starts_at', 'belongs to maintenance alone')
  const plan = { startsAt, endsAt }
  const problem = checkPlan(plan, { hasBegun, now: new Date() })
  if (problem !== undefined) throw wrongField(problem.path, problem.message)
  return plan
}

function wrongField(path: string, message: string) {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'value' }],
    details: { part: 'body' },
  })
}

function noSuchIncident(id: string) {
  return kernelFailure('not_found', { message: `There is no incident ${id}.` })
}

function isClosed(message: string) {
  return kernelFailure('conflict', { message })
}

function tooManyOpen(most: number) {
  return kernelFailure('conflict', {
    message: `There can be ${most} open incidents. Close one that is over.`,
  })
}

function tooManyUpdates(most: number) {
  return kernelFailure('conflict', {
    message: `An incident can have ${most} updates. Open another one.`,
  })
}

/** When maintenance is to begin and to end. */
interface Plan {
  readonly startsAt: Date
  readonly endsAt: Date
}

interface PlanProblem {
  readonly path: 'starts_at' | 'ends_at'
  readonly message: string
}

const dayMs = 86_400_000
const maxMs = 30 * dayMs
const furthestMs = 366 * dayMs

/** What is wrong with a plan, if anything. One that has begun keeps its start, however long ago it was. */
function checkPlan(
  { startsAt, endsAt }: Plan,
  { hasBegun, now }: { readonly hasBegun: boolean; readonly now: Date },
): PlanProblem | undefined {
  const [start, end, today] = [startsAt.getTime(), endsAt.getTime(), now.getTime()]
  if (!hasBegun && start < today - dayMs) {
    return { path: 'starts_at', message: 'must not be more than a day ago' }
  }
  if (start > today + furthestMs) return { path: 'starts_at', message: 'must be within a year' }
  if (end <= start) return { path: 'ends_at', message: 'must be after starts_at' }
  if (end <= today) return { path: 'ends_at', message: 'must be in the future' }
  if (end - start > maxMs) return { path: 'ends_at', message: 'must be within 30 days of starts_at' }
  return undefined
}
