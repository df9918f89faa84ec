import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { CatalogueSource } from '../gateway/catalogue-entry.ts'
import type { ModelProvider, ProviderName } from '../providers/provider.ts'
import { classifyProbe, type ProbeObservation, type ProviderHealth } from './classify-probe.ts'
import type { ProviderState, ProviderStates } from './provider-states.ts'

/** How all providers are, as any replica saw them last. */
export interface ProviderHealthStore {
  /** In the order in which they are asked. One that nobody has looked at yet is looked at now. */
  read(): Promise<readonly ProviderHealth[]>
  /** Looks at all of them now, stores what is seen, and tells of what changed. */
  check(limits?: ProbeLimits): Promise<readonly ProviderHealth[]>
}

/** How long providers may take. */
export interface ProbeLimits {
  /** To answer at all: five seconds, unless told otherwise. */
  readonly timeoutMs?: number | undefined
  /** To count as well: two seconds, unless told otherwise. */
  readonly slowMs?: ((provider: ProviderName) => number | undefined) | undefined
}

export interface ProviderHealthStoreOptions {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
  readonly providers: readonly Pick<ModelProvider, 'name'>[]
  readonly catalogue: CatalogueSource
  readonly states: ProviderStates
}

/** The event that tells of a change. */
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

  async function look(
    names: readonly ProviderName[],
    lookAt: (name: ProviderName) => Promise<ProviderState>,
  ): Promise<readonly ProbeObservation[]> {
    const seen = await Promise.all(names.map(async (name) => ({ name, state: await lookAt(name) })))
    // Afterwards: a look at a provider may have brought its list of models, too.
    const entries = await catalogue.find()
    return seen.map(({ name, state }) => ({
      ...state,
      provider: name,
      models: entries
        .filter(({ provider, model }) => provider === name && model.available)
        .map(({ model }) => model.id),
      at: state.checkedAt,
    }))
  }

  /** Replicas take turns, so that of two that look at once one sees what the other stored. */
  async function store(
    seen: readonly ProbeObservation[],
    { slowMs }: ProbeLimits,
  ): Promise<readonly ProviderHealth[]> {
    return await database.transaction(async (transaction) => {
      await sql`lock table model_provider_states in share row exclusive mode`.execute(transaction)
      const { rows } = await sql<Row>`select ${sql.raw(columns)} from model_provider_states`.execute(
        transaction,
      )
      const before = new Map(rows.map((row) => [row.provider, healthOf(row)]))
      const updated = seen.map((one) =>
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
      const unseen = providers.map(({ name }) => name).filter((name) => !known.has(name))
      if (unseen.length > 0) {
        for (const seen of await look(unseen, (name) => states.look(name)))
          known.set(seen.provider, classifyProbe(undefined, seen))
      }
      return providers.flatMap(({ name }) => known.get(name) ?? [])
    },

    async check(limits = {}) {
      const names = providers.map(({ name }) => name)
      return await store(await look(names, (name) => states.probeNow(name, limits)), limits)
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
