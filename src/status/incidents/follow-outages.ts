import { randomUUIDv7 } from 'node:crypto'
import { type Executor, runStatement } from '#kernel/work'
import type { RoundListener } from '../services/round.ts'
import type { ServiceReport } from '../services/service.ts'
import type { Announce, IncidentEvent } from './announce.ts'
import type { Actor, Incident } from './incident.ts'
import { outageTexts } from './service-texts.ts'
import {
  countUpdates,
  findOpenByHand,
  insertIncident,
  insertUpdate,
  lockIncident,
  readMaintained,
  writeClosed,
  writeIncident,
} from './store.ts'

const prober: Actor = { prober: true }

/** A service that flaps for weeks keeps changing its impact, but adds no more updates than this. */
export const maxUpdates = 200

const impactOf = { degraded: 'degraded', offline: 'down' } as const

type OutageState = keyof typeof impactOf

/**
 * Opens, updates and closes the incidents of services, after every round of probes and in its transaction. `status_outages` has one row per
 * service, so an outage is one incident however many replicas probe.
 */
export function createOutageFollower(announce: Announce): RoundListener {
  return async (transaction, { at, services }) => {
    const maintained = await readMaintained(transaction)
    const news: IncidentEvent[] = []
    for (const service of services) {
      news.push(
        ...(await follow(transaction, service, { inMaintenance: maintained.has(service.name), now: at })),
      )
    }
    // All events at once and last: a transaction that holds the event log must not wait for an incident.
    await announce(transaction, news)
  }
}

async function follow(
  executor: Executor,
  service: ServiceReport,
  { inMaintenance, now }: { readonly inMaintenance: boolean; readonly now: Date },
): Promise<IncidentEvent[]> {
  const known = await lockOutage(executor, service.name)
  const open = known?.open
  const step = decideOutage({ service, outage: known, inMaintenance, now })
  if (step === 'open') return await openOutage(executor, service)
  if (step === 'update' || step === 'record') await recordReported(executor, service)
  if (step === 'close' || step === 'report_recovery' || step === 'clear') await clearOutage(executor, service)
  if (step === 'update')
    return await addUpdate(executor, open, service, outageTexts(service.name).changed[outageStateOf(service)])
  if (step === 'report_recovery') return await addUpdate(executor, open, service, recoveryText(service))
  return step === 'close' ? await close(executor, open, recoveryText(service)) : []
}

interface LockedOutage extends KnownOutage {
  readonly open: Incident | undefined
}

async function lockOutage(executor: Executor, service: string): Promise<LockedOutage | undefined> {
  const [row] = await runStatement<{ reported: OutageState; incidentId: string | null }>(
    executor,
    'select told as reported, incident_id as "incidentId" from status_outages where service = $1 for update',
    [service],
  )
  if (row === undefined) return undefined
  const incident = row.incidentId === null ? undefined : await lockIncident(executor, row.incidentId)
  const open = incident?.closedAt === null ? incident : undefined
  if (open === undefined) return { reported: row.reported, incident: 'gone', open }
  return { reported: row.reported, incident: open.openedBy === 'prober' ? 'by_prober' : 'by_hand', open }
}

/** Opens an incident, unless another replica has just done so or an operator has opened one for this service. */
async function openOutage(executor: Executor, service: ServiceReport): Promise<IncidentEvent[]> {
  const state = outageStateOf(service)
  const inserted = await runStatement(
    executor,
    `
      insert into status_outages (service, told, began_at) values ($1, $2, $3)
      on conflict (service) do nothing
      returning service
    `,
    [service.name, state, service.since],
  )
  if (inserted.length === 0) return []
  const words = outageTexts(service.name)
  const theirs = await findOpenByHand(executor, service.name)
  if (theirs !== undefined) {
    await linkOutage(executor, service.name, theirs.id)
    return await addUpdate(executor, theirs, service, words.found[state])
  }
  const incident = await insertIncident(
    executor,
    {
      id: randomUUIDv7(),
      kind: 'incident',
      title: words.title[state],
      impact: impactOf[state],
      services: [service.name],
      state: 'investigating',
      startsAt: null,
      endsAt: null,
    },
    prober,
  )
  if (incident === undefined) throw new Error('an incident with the newly generated id already exists')
  await linkOutage(executor, service.name, incident.id)
  const message = words.found[state]
  await insertUpdate(executor, { incidentId: incident.id, ...pick(incident), message }, prober)
  return [{ type: 'opened', incident, message, by: prober }]
}

/** Adds an update to an open incident. The impact of an incident opened by an operator stays as the operator set it. */
async function addUpdate(
  executor: Executor,
  incident: Incident | undefined,
  service: ServiceReport,
  message: string,
): Promise<IncidentEvent[]> {
  if (incident === undefined) return []
  const isOurs = incident.openedBy === 'prober'
  const impact = isOurs ? impactOf[outageStateOf(service)] : incident.impact
  const title = isOurs ? titleAfterChange(incident, service) : incident.title
  const written = await writeIncident(executor, { ...incident, impact, title })
  if ((await countUpdates(executor, incident.id)) >= maxUpdates) return []
  await insertUpdate(executor, { incidentId: incident.id, ...pick(written), message }, prober)
  return [{ type: 'updated', incident: written, message, by: prober }]
}

async function close(
  executor: Executor,
  incident: Incident | undefined,
  message: string,
): Promise<IncidentEvent[]> {
  if (incident === undefined) return []
  const closed = await writeClosed(executor, incident)
  await insertUpdate(executor, { incidentId: incident.id, ...pick(closed), message }, prober)
  return [{ type: 'closed', incident: closed, message, by: prober }]
}

/** A title that an operator changed stays. */
function titleAfterChange({ title }: Incident, service: ServiceReport): string {
  const { title: titles } = outageTexts(service.name)
  return title === titles.offline || title === titles.degraded ? titles[outageStateOf(service)] : title
}

function recoveryText({ name, state }: ServiceReport): string {
  const { well, unwatched } = outageTexts(name)
  return state === 'unconfigured' ? unwatched : well
}

function outageStateOf({ state }: ServiceReport): OutageState {
  return state === 'offline' ? 'offline' : 'degraded'
}

function pick({ state, impact }: Incident): Pick<Incident, 'state' | 'impact'> {
  return { state, impact }
}

async function linkOutage(executor: Executor, service: string, incidentId: string): Promise<void> {
  await runStatement(executor, 'update status_outages set incident_id = $2 where service = $1', [
    service,
    incidentId,
  ])
}

async function recordReported(executor: Executor, service: ServiceReport): Promise<void> {
  await runStatement(executor, 'update status_outages set told = $2 where service = $1', [
    service.name,
    outageStateOf(service),
  ])
}

async function clearOutage(executor: Executor, service: ServiceReport): Promise<void> {
  await runStatement(executor, 'delete from status_outages where service = $1', [service.name])
}

/** An outage that is recorded in `status_outages`. */
export interface KnownOutage {
  /** The state in the last update. */
  readonly reported: 'degraded' | 'offline'
  /** `gone`: an operator closed or removed the incident; this outage gets no more updates. */
  readonly incident: 'by_prober' | 'by_hand' | 'gone'
}

interface Circumstances {
  readonly service: Pick<ServiceReport, 'state' | 'since'>
  readonly outage: KnownOutage | undefined
  /** Announced maintenance with the impact `maintenance` is in progress. */
  readonly inMaintenance: boolean
  readonly now: Date
}

type OutageStep = 'nothing' | 'open' | 'update' | 'record' | 'close' | 'report_recovery' | 'clear'

/** A service that is slow for a shorter time opens no incident. */
const slowForMs = 5 * 60_000

const whenWell = { by_prober: 'close', by_hand: 'report_recovery', gone: 'clear' } as const satisfies Record<
  KnownOutage['incident'],
  OutageStep
>

/**
 * Decides the next step for a service from its state and the recorded outage. The function is pure and the steps are idempotent, so several
 * replicas may run it.
 *
 * | outage | the service is | incident | next |
 * |---|---|---|---|
 * | none | online, unconfigured, degraded for less than five minutes | | `nothing` |
 * | none | offline, or degraded for longer, during maintenance | | `nothing`: the maintenance was announced |
 * | none | offline, or degraded for longer | | `open`: an incident is opened, or the outage joins one that an operator opened |
 * | known | in the reported state | any | `nothing` |
 * | known | offline after degraded, or degraded after offline | open | `update` |
 * | known | the same | gone | `record` |
 * | known | online or unconfigured | opened by the prober | `close` |
 * | known | the same | opened by hand | `report_recovery`: operators close the incidents they opened |
 * | known | the same | gone | `clear`: the next outage opens a new incident |
 */
export function decideOutage({ service, outage, inMaintenance, now }: Circumstances): OutageStep {
  const { state, since } = service
  const isWell = state === 'online' || state === 'unconfigured'
  if (outage === undefined) {
    const isSlow = state === 'degraded' && now.getTime() - since.getTime() >= slowForMs
    return !inMaintenance && (state === 'offline' || isSlow) ? 'open' : 'nothing'
  }
  if (isWell) return whenWell[outage.incident]
  if (state === outage.reported) return 'nothing'
  return outage.incident === 'gone' ? 'record' : 'update'
}
