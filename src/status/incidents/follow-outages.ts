import { randomUUIDv7 } from 'node:crypto'
import { type Executor, runStatement } from '#kernel/work'
import type { RoundListener } from '../services/round.ts'
import type { ServiceReport } from '../services/service.ts'
import type { Announce, News } from './announce.ts'
import type { By, Incident } from './incident.ts'
import { outageWords } from './service-texts.ts'
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

const prober: By = { prober: true }

/** More than anybody reads; a service that comes and goes for weeks changes its impact without another word. */
export const maxUpdates = 200

const impactOf = { degraded: 'degraded', offline: 'down' } as const

type Unwell = keyof typeof impactOf

/**
 * Opens, follows and closes the incidents of services, after every round of probes and in its transaction. The row of an outage is
 * there once, so an outage is one incident, however many replicas look and however often.
 */
export function createOutageFollower(announce: Announce): RoundListener {
  return async (transaction, { at, services }) => {
    const maintained = await readMaintained(transaction)
    const news: News[] = []
    for (const service of services) {
      news.push(
        ...(await follow(transaction, service, { inMaintenance: maintained.has(service.name), now: at })),
      )
    }
    // Together and last: whoever holds the event log must not wait for an incident.
    await announce(transaction, news)
  }
}

async function follow(
  executor: Executor,
  service: ServiceReport,
  { inMaintenance, now }: { readonly inMaintenance: boolean; readonly now: Date },
): Promise<News[]> {
  const known = await lockOutage(executor, service.name)
  const open = known?.open
  const step = decideOutage({ service, outage: known, inMaintenance, now })
  if (step === 'begin') return await begin(executor, service)
  if (step === 'tell' || step === 'remember') await remember(executor, service)
  if (step === 'close' || step === 'tell_well' || step === 'forget') await forget(executor, service)
  if (step === 'tell')
    return await say(executor, open, service, outageWords(service.name).changed[unwell(service)])
  if (step === 'tell_well') return await say(executor, open, service, wellWords(service))
  return step === 'close' ? await close(executor, open, wellWords(service)) : []
}

interface LockedOutage extends KnownOutage {
  readonly open: Incident | undefined
}

async function lockOutage(executor: Executor, service: string): Promise<LockedOutage | undefined> {
  const [row] = await runStatement<{ told: Unwell; incidentId: string | null }>(
    executor,
    'select told, incident_id as "incidentId" from status_outages where service = $1 for update',
    [service],
  )
  if (row === undefined) return undefined
  const incident = row.incidentId === null ? undefined : await lockIncident(executor, row.incidentId)
  const open = incident?.closedAt === null ? incident : undefined
  if (open === undefined) return { told: row.told, incident: 'gone', open }
  return { told: row.told, incident: open.openedBy === 'prober' ? 'ours' : 'by_hand', open }
}

/** Opens an incident, unless another replica has just done so or people have opened one for this service already. */
async function begin(executor: Executor, service: ServiceReport): Promise<News[]> {
  const state = unwell(service)
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
  const words = outageWords(service.name)
  const theirs = await findOpenByHand(executor, service.name)
  if (theirs !== undefined) {
    await tieOutage(executor, service.name, theirs.id)
    return await say(executor, theirs, service, words.found[state])
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
  if (incident === undefined) throw new Error('an incident with a new id is there already')
  await tieOutage(executor, service.name, incident.id)
  const message = words.found[state]
  await insertUpdate(executor, { incidentId: incident.id, ...pick(incident), message }, prober)
  return [{ what: 'opened', incident, message, by: prober }]
}

/** Adds to an incident that is open. The impact of one that people opened is theirs to say. */
async function say(
  executor: Executor,
  incident: Incident | undefined,
  service: ServiceReport,
  message: string,
): Promise<News[]> {
  if (incident === undefined) return []
  const isOurs = incident.openedBy === 'prober'
  const impact = isOurs ? impactOf[unwell(service)] : incident.impact
  const title = isOurs ? retitle(incident, service) : incident.title
  const written = await writeIncident(executor, { ...incident, impact, title })
  if ((await countUpdates(executor, incident.id)) >= maxUpdates) return []
  await insertUpdate(executor, { incidentId: incident.id, ...pick(written), message }, prober)
  return [{ what: 'updated', incident: written, message, by: prober }]
}

async function close(executor: Executor, incident: Incident | undefined, message: string): Promise<News[]> {
  if (incident === undefined) return []
  const closed = await writeClosed(executor, incident)
  await insertUpdate(executor, { incidentId: incident.id, ...pick(closed), message }, prober)
  return [{ what: 'closed', incident: closed, message, by: prober }]
}

/** A title that people changed stays as they wrote it. */
function retitle({ title }: Incident, service: ServiceReport): string {
  const { title: titles } = outageWords(service.name)
  return title === titles.offline || title === titles.degraded ? titles[unwell(service)] : title
}

function wellWords({ name, state }: ServiceReport): string {
  const { well, unwatched } = outageWords(name)
  return state === 'unconfigured' ? unwatched : well
}

function unwell({ state }: ServiceReport): Unwell {
  return state === 'offline' ? 'offline' : 'degraded'
}

function pick({ state, impact }: Incident): Pick<Incident, 'state' | 'impact'> {
  return { state, impact }
}

async function tieOutage(executor: Executor, service: string, incidentId: string): Promise<void> {
  await runStatement(executor, 'update status_outages set incident_id = $2 where service = $1', [
    service,
    incidentId,
  ])
}

async function remember(executor: Executor, service: ServiceReport): Promise<void> {
  await runStatement(executor, 'update status_outages set told = $2 where service = $1', [
    service.name,
    unwell(service),
  ])
}

async function forget(executor: Executor, service: ServiceReport): Promise<void> {
  await runStatement(executor, 'delete from status_outages where service = $1', [service.name])
}

/** An outage that was told of. */
export interface KnownOutage {
  /** How the service was when that was last told. */
  readonly told: 'degraded' | 'offline'
  /** `gone`: a person closed or removed it, and wants to hear no more of this outage. */
  readonly incident: 'ours' | 'by_hand' | 'gone'
}

interface Circumstances {
  readonly service: Pick<ServiceReport, 'state' | 'since'>
  readonly outage: KnownOutage | undefined
  /** Work on this service is under way, and it was announced that it will be felt. */
  readonly inMaintenance: boolean
  readonly now: Date
}

type OutageStep = 'nothing' | 'begin' | 'tell' | 'remember' | 'close' | 'tell_well' | 'forget'

/** Slow for a moment is not worth an incident. */
const slowForMs = 5 * 60_000

const whenWell = { ours: 'close', by_hand: 'tell_well', gone: 'forget' } as const satisfies Record<
  KnownOutage['incident'],
  OutageStep
>

/**
 * What is to be done about a service, from how it is now and what was told before. Asking again changes nothing, so it does not matter how
 * often or where somebody asks.
 *
 * | outage | the service is | incident | next |
 * |---|---|---|---|
 * | none | online, unconfigured, degraded for less than five minutes | | `nothing` |
 * | none | offline, or degraded for longer, while it is maintained | | `nothing`: it was announced |
 * | none | offline, or degraded for longer | | `begin`: an incident is opened, or one that people opened for it is joined |
 * | known | as it was told | any | `nothing` |
 * | known | offline after degraded, or degraded after offline | open | `tell` |
 * | known | the same | gone | `remember` |
 * | known | online or unconfigured | opened by the prober | `close` |
 * | known | the same | opened by hand | `tell_well`: people close what they opened |
 * | known | the same | gone | `forget`: the next outage is a new one |
 */
export function decideOutage({ service, outage, inMaintenance, now }: Circumstances): OutageStep {
  const { state, since } = service
  const isWell = state === 'online' || state === 'unconfigured'
  if (outage === undefined) {
    const isSlow = state === 'degraded' && now.getTime() - since.getTime() >= slowForMs
    return !inMaintenance && (state === 'offline' || isSlow) ? 'begin' : 'nothing'
  }
  if (isWell) return whenWell[outage.incident]
  if (state === outage.told) return 'nothing'
  return outage.incident === 'gone' ? 'remember' : 'tell'
}
