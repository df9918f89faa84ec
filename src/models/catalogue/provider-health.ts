import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { ProviderName } from '../providers/provider.ts'
import type { ProviderRegistry } from '../providers/registry.ts'
import type { Catalogue } from './catalogue.ts'
import { classifyProbe, type ProbeObservation, type ProviderHealth } from './classify-probe.ts'
import type { ProviderState, ProviderStates } from './provider-states.ts'

/** Stores the health of all providers for all replicas. */
export interface ProviderHealthStore {
  /** In the order of the default chain. A provider without a stored probe is probed now. */
  read(): Promise<readonly ProviderHealth[]>
  /** Probes all providers, stores their health and publishes an event for each change. */
  check(limits?: ProbeLimits): Promise<readonly ProviderHealth[]>
}

/** Time limits of probes. */
export interface ProbeLimits {
  /** The timeout of a probe; five seconds by default. */
  readonly timeoutMs?: number | undefined
  /** The response time above which a provider counts as degraded; two seconds by default. */
  readonly slowMs?: ((provider: ProviderName) => number | undefined) | undefined
}

export interface ProviderHealthStoreOptions {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
  readonly providers: ProviderRegistry
  readonly catalogue: Pick<Catalogue, 'findNow'>
  readonly states: ProviderStates
}

/** The event for a change of status. */
export const providerStatusChanged = 'models.provider_status_changed'

interface Row {
  readonly provider: ProviderName
  readonly status: ProviderHealth['status']
  readonly seen_status: ProviderHealth['status']
  readonly response_ms: number | null
  readonly models: readonly string[]
  readonly last_error: string | null
  readonly checked_at: Date
  readonly changed_at: Date
}

const columns = 'provider, status, seen_status, response_ms, models, last_error, checked_at, changed_at'

export function createProviderHealthStore(options: ProviderHealthStoreOptions): ProviderHealthStore {
  const { database, events, providers, catalogue, states } = options

  async function probeAll(
    names: readonly ProviderName[],
    probe: (name: ProviderName) => Promise<ProviderState>,
  ): Promise<readonly ProbeObservation[]> {
    const observed = await Promise.all(names.map(async (name) => ({ name, state: await probe(name) })))
    // Read after the probes, because a probe may have loaded the model list.
    const entries = await catalogue.findNow()
    return observed.map(({ name, state }) => ({
      ...state,
      provider: name,
      models: entries
        .filter(({ provider, model }) => provider === name && model.available)
        .map(({ model }) => model.id),
      at: state.checkedAt,
    }))
  }

  /** Locks the table, so that of two concurrent probes the second sees the result of the first. */
  async function store(
    observed: readonly ProbeObservation[],
    { slowMs }: ProbeLimits,
  ): Promise<readonly ProviderHealth[]> {
    return await database.transaction(async (transaction) => {
      await sql`lock table model_provider_states in share row exclusive mode`.execute(transaction)
      const { rows } = await sql<Row>`select ${sql.raw(columns)} from model_provider_states`.execute(
        transaction,
      )
      const before = new Map(rows.map((row) => [row.provider, healthOf(row)]))
      const updated = observed.map((one) =>
        classifyProbe(before.get(one.provider), one, { slowMs: slowMs?.(one.provider) }),
      )
      for (const health of updated)
        await sql`
        insert into model_provider_states (${sql.raw(columns)})
        values (
          ${health.provider}, ${health.status}, ${health.seenStatus}, ${health.responseMs},
          ${health.models}, ${health.lastError}, ${health.checkedAt}, ${health.changedAt}
        )
        on conflict (provider) do update
        set status = excluded.status, seen_status = excluded.seen_status, response_ms = excluded.response_ms,
          models = excluded.models, last_error = excluded.last_error, checked_at = excluded.checked_at,
          changed_at = excluded.changed_at
      `.execute(transaction)
      const changed = updated.flatMap((health) => {
        const known = before.get(health.provider)
        return known === undefined || known.status === health.status ? [] : [changeOf(known, health)]
      })
      if (changed.length > 0) await events.appendWithin(transaction, changed)
      return updated
    })
  }

  return {
    async read() {
      const rows = await database.query<Row>(`select ${columns} from model_provider_states`)
      const known = new Map(rows.map((row) => [row.provider, healthOf(row)]))
      const names = [...(await providers.read()).keys()]
      const unknown = names.filter((name) => !known.has(name))
      if (unknown.length > 0) {
        for (const observed of await probeAll(unknown, (name) => states.current(name)))
          known.set(observed.provider, classifyProbe(undefined, observed))
      }
      return names.flatMap((name) => known.get(name) ?? [])
    },

    async check(limits = {}) {
      const names = [...(await providers.read()).keys()]
      return await store(await probeAll(names, (name) => states.probeNow(name, limits)), limits)
    },
  }
}

function changeOf(before: ProviderHealth, now: ProviderHealth) {
  return {
    type: providerStatusChanged,
    subject: now.provider,
    data: {
      provider: now.provider,
      status: now.status,
      previous_status: before.status,
      response_time_ms: now.responseMs,
      last_error: now.lastError,
      models_available: now.models.length,
    },
  }
}

function healthOf(row: Row): ProviderHealth {
  return {
    provider: row.provider,
    status: row.status,
    seenStatus: row.seen_status,
    responseMs: row.response_ms,
    models: row.models,
    lastError: row.last_error,
    checkedAt: row.checked_at,
    changedAt: row.changed_at,
  }
}
