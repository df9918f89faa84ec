import type { Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Announce, IncidentEvent } from './announce.ts'
import { maxUpdates } from './follow-outages.ts'
import type { Actor, Impact, Incident, IncidentKind, IncidentState, IncidentUpdate } from './incident.ts'
import { advanceIfDue } from './maintenance.ts'
import {
  countOpen,
  countUpdates,
  type IncidentFilter,
  insertIncident,
  insertUpdate,
  listIncidents,
  lockIncident,
  lockRounds,
  readIncident,
  readUpdates,
  removeIncident,
  writeClosed,
  writeIncident,
} from './store.ts'

/** An incident with its updates, the newest first. */
export interface IncidentWithUpdates {
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

/** Management of incidents and maintenance by operators. */
export interface Incidents {
  list(
    filter: IncidentFilter,
  ): Promise<{ readonly incidents: readonly IncidentWithUpdates[]; readonly total: number }>
  read(id: string): Promise<IncidentWithUpdates>
  /** Idempotent by id: an incident that exists is returned. Throws `conflict` when too many are open. */
  open(incident: NewIncident, accountId: string | null): Promise<IncidentWithUpdates>
  change(id: string, change: IncidentChange, accountId: string | null): Promise<IncidentWithUpdates>
  /** The state `resolved` closes the incident. A closed incident accepts further messages. */
  update(id: string, update: NewIncidentUpdate, accountId: string | null): Promise<IncidentWithUpdates>
  close(id: string, message: string | undefined, accountId: string | null): Promise<IncidentWithUpdates>
  remove(id: string, accountId: string | null): Promise<void>
}

/** A bound against runaway scripts. */
const maxOpen = 200

export function createIncidents({
  database,
  announce,
}: {
  readonly database: Database
  readonly announce: Announce
}): Incidents {
  async function read(id: string): Promise<IncidentWithUpdates> {
    const incident = await readIncident(database, id)
    if (incident === undefined) throw noSuchIncident(id)
    return { incident, updates: (await readUpdates(database, [id], maxUpdates)).get(id) ?? [] }
  }

  /** Runs a change on a locked incident, publishes its event, and returns the result. */
  async function withIncident(
    id: string,
    work: (transaction: Transaction<NoTables>, incident: Incident) => Promise<IncidentEvent>,
  ): Promise<IncidentWithUpdates> {
    await database.transaction(async (transaction) => {
      await lockRounds(transaction)
      const before = await advanceIfDue(transaction, id)
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
      const entry = incidents.map((incident) => ({ incident, updates: updates.get(incident.id) ?? [] }))
      return { incidents: entry, total }
    },

    async open(input, accountId) {
      const { id, kind, message } = input
      if (kind === 'maintenance') requirePlan(input.startsAt, input.endsAt)
      await database.transaction(async (transaction) => {
        await lockRounds(transaction)
        if ((await countOpen(transaction)) >= maxOpen) throw tooManyOpen(maxOpen)
        const incident = await insertIncident(transaction, input, { accountId })
        if (incident === undefined) return
        const { state, impact } = incident
        await insertUpdate(transaction, { incidentId: id, state, impact, message }, { accountId })
        await announce(transaction, [{ type: 'opened', incident, message, by: { accountId } }])
      })
      return await read(id)
    },

    change: (id, change, accountId) =>
      withIncident(id, async (transaction, incident) => {
        const { startsAt, endsAt, ...rest } = change
        if (incident.closedAt !== null && Object.keys(change).some((name) => name !== 'title')) {
          throw isClosed('The incident is closed: only its title can be changed.')
        }
        const changed = { ...incident, ...rest, ...changePlan(incident, { startsAt, endsAt }) }
        const written = await writeIncident(transaction, changed)
        return { type: 'updated', incident: written, message: null, by: { accountId } }
      }),

    update: (id, { message, state, impact }, accountId) =>
      withIncident(id, async (transaction, incident) => {
        const by = { accountId }
        if ((await countUpdates(transaction, id)) >= maxUpdates) throw tooManyUpdates(maxUpdates)
        if (incident.closedAt !== null && (state ?? impact) !== undefined) {
          throw isClosed(
            'The incident is closed: its state and impact can no longer be changed. Send a message alone.',
          )
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
        return { type: 'updated', incident: written, message, by }
      }),

    close: (id, message, accountId) =>
      withIncident(id, (transaction, incident) => endIncident(transaction, incident, message, { accountId })),

    remove: (id, accountId) =>
      database.transaction(async (transaction) => {
        await lockRounds(transaction)
        const incident = await removeIncident(transaction, id)
        if (incident === undefined) throw noSuchIncident(id)
        await announce(transaction, [{ type: 'removed', incident, message: null, by: { accountId } }])
      }),
  }
}

async function endIncident(
  transaction: Transaction<NoTables>,
  incident: Incident,
  message: string | undefined,
  by: Actor,
): Promise<IncidentEvent> {
  if (incident.closedAt !== null) throw isClosed('The incident is already closed.')
  const closed = await writeClosed(transaction, incident)
  const { id, state, impact } = closed
  const words = message ?? endMessage(incident)
  await insertUpdate(transaction, { incidentId: id, state, impact, message: words }, by)
  return { type: 'closed', incident: closed, message: words, by }
}

function endMessage({ kind, state }: Incident): string {
  if (kind === 'incident') return 'This incident is resolved.'
  return state === 'scheduled' ? 'The maintenance was cancelled.' : 'The maintenance is completed.'
}

function changePlan(
  { startsAt, endsAt, state }: Incident,
  change: { readonly startsAt: Date | undefined; readonly endsAt: Date | undefined },
): Pick<Incident, 'startsAt' | 'endsAt'> {
  if (change.startsAt === undefined && change.endsAt === undefined) return { startsAt, endsAt }
  if (change.startsAt !== undefined && state === 'under_way') {
    throw wrongField('starts_at', 'cannot be changed: the maintenance has started')
  }
  const plan = { startsAt: change.startsAt ?? startsAt, endsAt: change.endsAt ?? endsAt }
  return requirePlan(plan.startsAt, plan.endsAt, { hasBegun: state === 'under_way' })
}

function requirePlan(
  startsAt: Date | null,
  endsAt: Date | null,
  { hasBegun = false }: { readonly hasBegun?: boolean } = {},
): Plan {
  if (startsAt === null || endsAt === null) throw wrongField('starts_at', 'is allowed for maintenance only')
  const plan = { startsAt, endsAt }
  const problem = checkPlan(plan, { hasBegun, now: new Date() })
  if (problem !== undefined) throw wrongField(problem.path, problem.message)
  return plan
}

function wrongField(path: string, message: string) {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'value' }],
  })
}

function noSuchIncident(id: string) {
  return kernelFailure('not_found', { message: `There is no incident ${id}.` })
}

function isClosed(message: string) {
  return kernelFailure('conflict', { message })
}

function tooManyOpen(max: number) {
  return kernelFailure('conflict', {
    message: `The limit of ${max} open incidents is reached. Close one first.`,
  })
}

function tooManyUpdates(max: number) {
  return kernelFailure('conflict', {
    message: `The limit of ${max} updates of an incident is reached. Open another incident.`,
  })
}

/** The planned period of maintenance. */
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
const maxAheadMs = 366 * dayMs

/** Maintenance that has started may keep a start far in the past. */
function checkPlan(
  { startsAt, endsAt }: Plan,
  { hasBegun, now }: { readonly hasBegun: boolean; readonly now: Date },
): PlanProblem | undefined {
  const [start, end, today] = [startsAt.getTime(), endsAt.getTime(), now.getTime()]
  if (!hasBegun && start < today - dayMs) {
    return { path: 'starts_at', message: 'must not be more than a day ago' }
  }
  if (start > today + maxAheadMs) return { path: 'starts_at', message: 'must be within a year' }
  if (end <= start) return { path: 'ends_at', message: 'must be after starts_at' }
  if (end <= today) return { path: 'ends_at', message: 'must be in the future' }
  if (end - start > maxMs) return { path: 'ends_at', message: 'must be within 30 days of starts_at' }
  return undefined
}
