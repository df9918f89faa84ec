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
import type { ToldIncident } from '../incidents/incidents.ts'
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
  saidOf,
} from './overall-status.ts'

/** A service as everybody sees it. */
export interface PublicService {
  readonly name: string
  readonly state: PublicState
  readonly since: Date
  readonly past: Readonly<
    Record<HistoryRange, { readonly uptime: number | null; readonly bars: readonly HistoryBar[] }>
  >
}

/** Everything the page, its JSON and its feed say. */
export interface Snapshot {
  readonly title: string
  readonly level: Level
  readonly message: string
  /** When the services were last looked at; null before the first time. */
  readonly checkedAt: Date | null
  readonly services: readonly PublicService[]
  readonly incidents: readonly ToldIncident[]
  /** Under way, then planned by when it begins. */
  readonly maintenance: readonly ToldIncident[]
  /** What is over, the last first. */
  readonly past: readonly ToldIncident[]
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
  const told = incidents.map((incident) => ({ incident, updates: updates.get(incident.id) ?? [] }))
  const open = told.filter(({ incident }) => incident.closedAt === null)
  const openIncidents = open.map(({ incident }) => incident)
  const around = {
    maintained: maintainedBy(openIncidents),
    said: saidOf(openIncidents),
    // Two rounds may be missed, as when a replica dies.
    staleBefore: new Date(Date.now() - settings.interval_seconds * 3000 - 60_000),
  }
  const shown = reports.flatMap((report) => {
    const state = publicStateOf(report, around)
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
    past: told.filter(({ incident }) => incident.closedAt !== null).toSorted((a, b) => endOf(b) - endOf(a)),
    feed,
  }
}

/** How many times as long as the rest the past is kept: it takes long to add up, and changes little. */
const pastKept = 15

/**
 * Keeps what was read for a moment, so that a page that everybody looks at is read from the database as often as if one person did. While the
 * database is away, which is when people look, what was read last is told, and that.
 */
export function keepSnapshot(options: SnapshotOptions, keepMs: number): () => Promise<Snapshot> {
  const readPast = keep(
    () => Promise.all(historyRanges.map((range) => options.history.read({ range }))),
    keepMs * pastKept,
  )
  let last: Snapshot | undefined
  return keep(async () => {
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

/** What could not be read is not kept. */
function keep<Value>(read: () => Promise<Value>, keepMs: number): () => Promise<Value> {
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
  if (row === undefined) throw new Error('the row of status_feed is missing')
  return row
}

function maintainedBy(open: readonly Incident[]): ReadonlySet<string> {
  const underWay = open.filter(({ impact, state }) => impact === 'maintenance' && state === 'under_way')
  return new Set(underWay.flatMap(({ services }) => services))
}

function lastCheckOf(reports: readonly ServiceReport[]): Date | null {
  const times = reports.map(({ lastCheck }) => lastCheck.getTime())
  return times.length === 0 ? null : new Date(Math.max(...times))
}

function startOf({ incident }: ToldIncident): number {
  return (incident.startsAt ?? incident.openedAt).getTime()
}

function endOf({ incident }: ToldIncident): number {
  return (incident.closedAt ?? incident.openedAt).getTime()
}
