import { hostname } from 'node:os'
import { sql, type Transaction } from 'kysely'
import type { TrafficCounts } from '#cluster'
import type { Database, NoTables } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { StatusConfig } from '../config/config.ts'
import type { ConfigStore } from '../config/config-store.ts'
import { addToHistory } from '../history/history.ts'
import { look, type Seen } from '../probes/run-probe.ts'
import { type FollowedTraffic, followTraffic } from './cluster-traffic.ts'
import { judge } from './damping.ts'
import type { Round, RoundListener, ServiceChange } from './round.ts'
import { type Probe, type ServiceName, serviceNames } from './service.ts'
import { readServicesWithin, reportOf, type StoredService, writeServices } from './service-rows.ts'

/** The event that tells of a service that is in another state. */
const serviceChanged = 'status.service_changed'

export interface Prober {
  /** Looks at everything when that is due. Whoever keeps watch calls it often; it does nothing most of the time. */
  tick(signal: AbortSignal): Promise<void>
  /** Looks at everything now, and stores what is seen. Undefined when another replica did meanwhile. */
  round(signal: AbortSignal): Promise<Round | undefined>
}

export interface ProberOptions {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
  readonly config: Pick<ConfigStore, 'read'>
  /** The probes of one round. */
  readonly probesFor: (config: StatusConfig) => Readonly<Record<ServiceName, Probe>>
  /** Called in this order. */
  readonly listeners: readonly RoundListener[]
  /** Adds what passed through a cluster service elsewhere since the round before. */
  readonly recordTraffic?: (transaction: Transaction<NoTables>, added: TrafficCounts) => Promise<void>
  /** Between two ticks: a round may begin so much too early rather than be late by a tick. */
  readonly tickMs: number
}

interface RoundRow {
  readonly at: Date | null
}

const me = `${hostname()}:${process.pid}`

export function createProber(options: ProberOptions): Prober {
  const { database, events, config, probesFor, listeners, recordTraffic, tickMs } = options

  /** By the clock of the database, which all replicas share. */
  async function readRound(): Promise<{ readonly last: Date | null; readonly now: Date }> {
    const [row] = await database.query<RoundRow & { readonly now: Date }>(
      'select at, now() as now from status_rounds',
      [],
      'status_last_round',
    )
    return { last: row?.at ?? null, now: row?.now ?? new Date() }
  }

  async function round(signal: AbortSignal): Promise<Round | undefined> {
    const { last: before, now: at } = await readRound()
    const { config: rules } = await config.read()
    const probes = probesFor(rules)
    const seen = await Promise.all(
      serviceNames.map(async (name) => {
        const limits = {
          timeoutMs: rules.timeout_seconds * 1000,
          // The queue judges its own waiting; how long it takes to look says nothing.
          slowMs: name === 'queue' ? Number.POSITIVE_INFINITY : rules.slow_ms[name],
          signal,
        }
        return [name, await look(probes[name], limits)] as const
      }),
    )
    signal.throwIfAborted()
    return await store({ before, at, seen, rules })
  }

  /** Whoever writes holds the row of rounds: of two replicas that looked at once, the one that comes second writes nothing. */
  async function store({ before, at, seen, rules }: Looked): Promise<Round | undefined> {
    return await database.transaction(async (transaction) => {
      const { rows } = await sql<RoundRow>`select at from status_rounds for update`.execute(transaction)
      if ((rows[0]?.at ?? null)?.getTime() !== before?.getTime()) return undefined
      await sql`update status_rounds set at = ${at}, by = ${me}`.execute(transaction)
      const known = await readServicesWithin(transaction)
      const now = seen.map(([name, one]) => serviceOf(name, known.get(name), one, at, rules))
      await writeServices(transaction, now)
      await addToHistory(
        transaction,
        at,
        seen.map(([service, { state, responseMs }]) => ({ service, state, responseMs })),
      )
      const told: Round = { at, services: now.map(reportOf), changes: changesBetween(known, now, at) }
      await tell(transaction, told)
      for (const listener of listeners) await listener(transaction, told)
      const { added } = trafficOf(known.get('ollama'), new Map(seen).get('ollama'))
      // Last: it locks rows that all processes add to.
      await recordTraffic?.(transaction, added)
      return told
    })
  }

  async function tell(transaction: Transaction<NoTables>, { changes, services }: Round): Promise<void> {
    // What is seen for the first time has not changed.
    const news = changes.filter(({ from }) => from !== null)
    if (news.length === 0) return
    await events.appendWithin(
      transaction,
      news.map(({ service, from, to, text }) => ({
        type: serviceChanged,
        subject: service,
        data: {
          service,
          status: to,
          previous_status: from,
          status_text: text,
          response_time_ms: services.find(({ name }) => name === service)?.responseTime ?? 0,
        },
      })),
    )
  }

  return {
    async tick(signal) {
      const [{ last, now }, { config: rules }] = await Promise.all([readRound(), config.read()])
      const sinceMs = last === null ? Number.POSITIVE_INFINITY : now.getTime() - last.getTime()
      // Less than nothing: the clock was set back, and nobody would look until it is again where it was.
      if (sinceMs < 0 || sinceMs >= rules.interval_seconds * 1000 - tickMs / 2) await round(signal)
    },
    round,
  }
}

interface Looked {
  readonly before: Date | null
  readonly at: Date
  readonly seen: readonly (readonly [ServiceName, Seen])[]
  readonly rules: StatusConfig
}

function serviceOf(
  name: ServiceName,
  before: StoredService | undefined,
  seen: Seen,
  at: Date,
  { damping }: StatusConfig,
): StoredService {
  const standing = judge(before, seen.state, at, {
    worse: damping.worse,
    better: damping.better,
    flappingChanges: damping.flapping_changes,
    flappingMs: damping.flapping_minutes * 60_000,
  })
  return {
    ...standing,
    name,
    text: textOf(standing, before, seen, damping),
    responseMs: Math.round((seen.responseMs ?? 0) * 100) / 100,
    metadata:
      name === 'ollama'
        ? { ...seen.metadata, cluster_traffic: trafficOf(before, seen).known }
        : seen.metadata,
    checkedAt: at,
  }
}

/** A service that was never looked at has nothing to be compared with, and all of its traffic is new. */
function trafficOf(before: StoredService | undefined, seen: Seen | undefined): FollowedTraffic {
  const known = before === undefined ? [] : (before.metadata.cluster_traffic ?? 'not stored')
  return followTraffic(known, seen?.traffic)
}

/** What is told says why, also when the last probe saw something else. */
function textOf(
  { state, flapping }: Pick<StoredService, 'state' | 'flapping'>,
  before: StoredService | undefined,
  seen: Seen,
  { flapping_minutes }: StatusConfig['damping'],
): string {
  if (flapping) {
    return `It keeps changing, and counts as degraded until it has been calm for ${flapping_minutes} minutes. Last seen ${seen.state}: ${seen.text}`
  }
  if (state === seen.state || before === undefined) return seen.text
  return `${describeState[state]} The last probe saw it ${seen.state}, which is not certain yet: ${seen.text}`
}

const describeState = {
  online: 'It was well.',
  degraded: 'It was degraded.',
  offline: 'It was offline.',
  unconfigured: 'It was not configured.',
} as const

function changesBetween(
  known: ReadonlyMap<ServiceName, StoredService>,
  now: readonly StoredService[],
  at: Date,
): readonly ServiceChange[] {
  return now.flatMap(({ name, state, text }) => {
    const from = known.get(name)?.state ?? null
    return from === state ? [] : [{ service: name, from, to: state, text, at }]
  })
}
