import { type Database, isDatabaseUnavailable } from '#kernel/database'
import type { ConfigStore } from '../config/config-store.ts'
import {
  type History,
  type HistoryBar,
  type HistoryRange,
  historyRanges,
  type ServiceHistory,
} from '../history/history-report.ts'
import type { Incident } from '../incidents/incident.ts'
import type { IncidentWithUpdates } from '../incidents/incidents.ts'
import { publicNameOf } from '../incidents/service-texts.ts'
import { readRecentIncidents, readUpdates } from '../incidents/store.ts'
import type { ServiceName, ServiceReport } from '../services/service.ts'
import type { Services } from '../services/services.ts'
import {
  type Level,
  levelMessage,
  levelOf,
  type PublicState,
  publicStateOf,
  reportedImpactsOf,
} from './overall-status.ts'

/** A service on the public page. */
export interface PublicService {
  readonly name: string
  readonly state: PublicState
  readonly since: Date
  readonly past: Readonly<
    Record<HistoryRange, { readonly uptime: number | null; readonly bars: readonly HistoryBar[] }>
  >
}

/** The data of the page, its JSON and its feed. */
export interface Snapshot {
  readonly title: string
  readonly level: Level
  readonly message: string
  /** Time of the last check; null before the first one. */
  readonly checkedAt: Date | null
  readonly services: readonly PublicService[]
  readonly incidents: readonly IncidentWithUpdates[]
  /** In progress, then planned, by start. */
  readonly maintenance: readonly IncidentWithUpdates[]
  /** Closed, the latest first. */
  readonly past: readonly IncidentWithUpdates[]
  readonly feed: { readonly id: string; readonly createdAt: Date }
}

export interface SnapshotOptions {
  readonly database: Pick<Database, 'query'>
  readonly services: Services
  readonly history: History
  readonly config: Pick<ConfigStore, 'read'>
}

const daysBack = 90
const maxIncidents = 100
const updatesOfEach = 50

async function readSnapshot(
  { database, services, config }: SnapshotOptions,
  readPast: () => Promise<readonly (readonly ServiceHistory[])[]>,
): Promise<Snapshot> {
  const [{ config: settings }, reports, incidents, feed, pasts] = await Promise.all([
    config.read(),
    services.list(),
    readRecentIncidents(database, { days: daysBack, limit: maxIncidents }),
    readFeed(database),
    readPast(),
  ])
  const ids = incidents.map(({ id }) => id)
  const updates = await readUpdates(database, ids, updatesOfEach)
  const recent = incidents.map((incident) => ({ incident, updates: updates.get(incident.id) ?? [] }))
  const open = recent.filter(({ incident }) => incident.closedAt === null)
  const openIncidents = open.map(({ incident }) => incident)
  const context = {
    maintained: servicesInMaintenance(openIncidents),
    reported: reportedImpactsOf(openIncidents),
    // Two rounds may be missed, as when a replica crashes.
    staleBefore: new Date(Date.now() - settings.interval_seconds * 3000 - 60_000),
  }
  const shown = reports.flatMap((report) => {
    const state = publicStateOf(report, context)
    return state === undefined ? [] : [{ report, state }]
  })
  const states = shown.map(({ state }) => state)
  const level = levelOf(states, openIncidents)
  const pastOf = (name: ServiceName) =>
    Object.fromEntries(
      historyRanges.map((range, index) => {
        const found = pasts[index]?.find(({ service }) => service === name)
        return [range, { uptime: found?.uptime ?? null, bars: found?.bars ?? [] }]
      }),
    ) as PublicService['past']

  return {
    title: settings.page_title,
    level,
    message: levelMessage(level, states),
    checkedAt: lastCheckOf(reports),
    services: shown.map(({ report: { name, since }, state }) => ({
      name: publicNameOf(name),
      state,
      since,
      past: pastOf(name),
    })),
    incidents: open
      .filter(({ incident }) => incident.kind === 'incident')
      .toSorted((a, b) => b.incident.openedAt.getTime() - a.incident.openedAt.getTime()),
    maintenance: open
      .filter(({ incident }) => incident.kind === 'maintenance')
      .toSorted((a, b) => startOf(a) - startOf(b)),
    past: recent.filter(({ incident }) => incident.closedAt !== null).toSorted((a, b) => endOf(b) - endOf(a)),
    feed,
  }
}

/** The history is cached this many times longer: it is expensive to sum up and changes slowly. */
const historyCacheFactor = 15

/**
 * Caches the snapshot briefly, so that the number of visitors does not affect the database. While the database is unavailable, returns the
 * last snapshot with the database down.
 */
export function cacheSnapshot(options: SnapshotOptions, keepMs: number): () => Promise<Snapshot> {
  const readPast = cached(
    () => Promise.all(historyRanges.map((range) => options.history.read({ range }))),
    keepMs * historyCacheFactor,
  )
  let last: Snapshot | undefined
  return cached(async () => {
    try {
      last = await readSnapshot(options, readPast)
      return last
    } catch (error) {
      if (last === undefined || !isDatabaseUnavailable(error)) throw error
      return withoutDatabase(last)
    }
  }, keepMs)
}

function withoutDatabase(last: Snapshot): Snapshot {
  const services = last.services.map((service) =>
    service.name === publicNameOf('database') && service.state !== 'maintenance'
      ? { ...service, state: 'down' as const }
      : service,
  )
  const states = services.map(({ state }) => state)
  const open = [...last.incidents, ...last.maintenance].map(({ incident }) => incident)
  const level = levelOf(states, open)
  return { ...last, services, level, message: levelMessage(level, states) }
}

/** Caches a value; a failed read is not cached. */
function cached<Value>(read: () => Promise<Value>, keepMs: number): () => Promise<Value> {
  let kept: { readonly until: number; readonly value: Promise<Value> } | undefined
  return async () => {
    const now = Date.now()
    if (kept === undefined || kept.until <= now) {
      const mine = { until: now + keepMs, value: read() }
      kept = mine
      mine.value.catch(() => {
        if (kept === mine) kept = undefined
      })
    }
    return await kept.value
  }
}

async function readFeed(database: Pick<Database, 'query'>): Promise<Snapshot['feed']> {
  const [row] = await database.query<Snapshot['feed']>(
    'select id, created_at as "createdAt" from status_feed',
  )
  if (row === undefined) throw new Error('status_feed has no row')
  return row
}

function servicesInMaintenance(open: readonly Incident[]): ReadonlySet<string> {
  const inProgress = open.filter(({ impact, state }) => impact === 'maintenance' && state === 'under_way')
  return new Set(inProgress.flatMap(({ services }) => services))
}

function lastCheckOf(reports: readonly ServiceReport[]): Date | null {
  const times = reports.map(({ lastCheck }) => lastCheck.getTime())
  return times.length === 0 ? null : new Date(Math.max(...times))
}

function startOf({ incident }: IncidentWithUpdates): number {
  return (incident.startsAt ?? incident.openedAt).getTime()
}

function endOf({ incident }: IncidentWithUpdates): number {
  return (incident.closedAt ?? incident.openedAt).getTime()
}
