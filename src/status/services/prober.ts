import { hostname } from 'node:os'
import { sql, type Transaction } from 'kysely'
import type { TrafficCounts } from '#cluster'
import type { Database, NoTables } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { StatusConfig } from '../config/config.ts'
import type { ConfigStore } from '../config/config-store.ts'
import { addToHistory } from '../history/history.ts'
import { type ProbeOutcome, runProbe } from '../probes/run-probe.ts'
import { type FollowedTraffic, followTraffic } from './cluster-traffic.ts'
import { dampStatus } from './damping.ts'
import type { Round, RoundListener, ServiceChange } from './round.ts'
import { type Probes, type ServiceName, valueFor } from './service.ts'
import {
  deleteServices,
  readServicesWithin,
  reportOf,
  type StoredService,
  writeServices,
} from './service-rows.ts'

/** Event of a changed service state. */
const serviceChanged = 'status.service_changed'

export interface Prober {
  /** Runs a round if one is due. A recurring task calls it often. */
  tick(signal: AbortSignal): Promise<void>
  /** Probes all services now and stores the results. Undefined when another replica stored a round meanwhile. */
  round(signal: AbortSignal): Promise<Round | undefined>
}

export interface ProberOptions {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
  readonly config: Pick<ConfigStore, 'read'>
  /** The probes of one round. Services may be added and removed between rounds. */
  readonly probesFor: (config: StatusConfig) => Promise<Probes>
  /** Called in this order, in the transaction of the round. */
  readonly listeners: readonly RoundListener[]
  /** Adds the traffic of a cluster service in another process since the previous round. */
  readonly recordTraffic?: (transaction: Transaction<NoTables>, added: TrafficCounts) => Promise<void>
  /** The interval of ticks: a round may start half a tick early instead of a whole tick late. */
  readonly tickMs: number
}

interface RoundRow {
  readonly at: Date | null
}

const me = `${hostname()}:${process.pid}`

export function createProber(options: ProberOptions): Prober {
  const { database, events, config, probesFor, listeners, recordTraffic, tickMs } = options

  /** Uses the clock of the database, which all replicas share. */
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
    const probes = await probesFor(rules)
    const seen = await Promise.all(
      [...probes].map(async ([name, probe]) => {
        const limits = {
          timeoutMs: rules.timeout_seconds * 1000,
          // The queue probe checks the wait itself; its own duration says nothing.
          slowMs: name === 'queue' ? Number.POSITIVE_INFINITY : valueFor(rules.slow_ms, name),
          signal,
        }
        return [name, await runProbe(probe, limits)] as const
      }),
    )
    signal.throwIfAborted()
    return await store({ before, at, seen, rules })
  }

  /** Locks the row of `status_rounds`: of two concurrent rounds the second one is dropped. */
  async function store({ before, at, seen, rules }: RoundOutcome): Promise<Round | undefined> {
    return await database.transaction(async (transaction) => {
      const { rows } = await sql<RoundRow>`select at from status_rounds for update`.execute(transaction)
      if ((rows[0]?.at ?? null)?.getTime() !== before?.getTime()) return undefined
      await sql`update status_rounds set at = ${at}, by = ${me}`.execute(transaction)
      const known = await readServicesWithin(transaction)
      const probed = seen.map(([name, one]) => serviceOf(name, known.get(name), one, at, rules))
      const removed = removedServices(known, probed, at)
      await writeServices(transaction, probed)
      await deleteServices(
        transaction,
        removed.map(({ name }) => name),
      )
      // The round reports a removed service once more, so that its outage ends.
      const now = [...probed, ...removed]
      await addToHistory(
        transaction,
        at,
        seen.map(([service, { state, responseMs }]) => ({ service, state, responseMs })),
      )
      const result: Round = { at, services: now.map(reportOf), changes: changesBetween(known, now, at) }
      await publishChanges(transaction, result)
      for (const listener of listeners) await listener(transaction, result)
      const { added } = trafficOf(known.get('ollama'), new Map(seen).get('ollama'))
      // Last: it locks rows that all processes add to.
      await recordTraffic?.(transaction, added)
      return result
    })
  }

  async function publishChanges(
    transaction: Transaction<NoTables>,
    { changes, services }: Round,
  ): Promise<void> {
    // A first report is not a change.
    const changed = changes.filter(({ from }) => from !== null)
    if (changed.length === 0) return
    await events.appendWithin(
      transaction,
      changed.map(({ service, from, to, text }) => ({
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
      // Negative after the clock is set back: waiting would pause the probes until it catches up.
      if (sinceMs < 0 || sinceMs >= rules.interval_seconds * 1000 - tickMs / 2) await round(signal)
    },
    round,
  }
}

interface RoundOutcome {
  readonly before: Date | null
  readonly at: Date
  readonly seen: readonly (readonly [ServiceName, ProbeOutcome])[]
  readonly rules: StatusConfig
}

function serviceOf(
  name: ServiceName,
  before: StoredService | undefined,
  seen: ProbeOutcome,
  at: Date,
  { damping }: StatusConfig,
): StoredService {
  const damped = dampStatus(before, seen.state, at, {
    worse: damping.worse,
    better: damping.better,
    flappingChanges: damping.flapping_changes,
    flappingMs: damping.flapping_minutes * 60_000,
  })
  return {
    ...damped,
    name,
    text: textOf(damped, before, seen, damping),
    responseMs: Math.round((seen.responseMs ?? 0) * 100) / 100,
    metadata:
      name === 'ollama'
        ? { ...seen.metadata, cluster_traffic: trafficOf(before, seen).known }
        : seen.metadata,
    checkedAt: at,
  }
}

/** The services that were not probed because they no longer exist. */
function removedServices(
  known: ReadonlyMap<ServiceName, StoredService>,
  probed: readonly StoredService[],
  at: Date,
): readonly StoredService[] {
  const names = new Set(probed.map(({ name }) => name))
  return [...known.values()]
    .filter(({ name }) => !names.has(name))
    .map((service) => ({ ...service, state: 'unconfigured', since: at, text: 'Removed.', flapping: false }))
}

/** Without an earlier probe, all traffic is new. */
function trafficOf(before: StoredService | undefined, seen: ProbeOutcome | undefined): FollowedTraffic {
  const known = before === undefined ? [] : (before.metadata.cluster_traffic ?? 'not stored')
  return followTraffic(known, seen?.traffic)
}

/** The text explains the reported state, also when the last probe had another result. */
function textOf(
  { state, flapping }: Pick<StoredService, 'state' | 'flapping'>,
  before: StoredService | undefined,
  seen: ProbeOutcome,
  { flapping_minutes }: StatusConfig['damping'],
): string {
  if (flapping) {
    return `Flapping: shown as degraded until it has been stable for ${flapping_minutes} minutes. Last probe ${seen.state}: ${seen.text}`
  }
  if (state === seen.state || before === undefined) return seen.text
  return `${describeState[state]} The last probe was ${seen.state}, not yet confirmed: ${seen.text}`
}

const describeState = {
  online: 'Online so far.',
  degraded: 'Degraded so far.',
  offline: 'Offline so far.',
  unconfigured: 'Not configured so far.',
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
