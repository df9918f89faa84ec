import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { CatalogueSource } from '../gateway/catalogue-entry.ts'
import type { ModelProvider, ProviderName } from '../providers/provider.ts'
import { judgeProbe, type ProviderStanding, type SeenProvider } from './judge-probe.ts'
import type { ProviderState, ProviderStates } from './provider-states.ts'

/** How all providers are, as any replica saw them last. */
export interface Standings {
  /** In the order in which they are asked. One that nobody has looked at yet is looked at now. */
  read(): Promise<readonly ProviderStanding[]>
  /** Looks at all of them now, stores what is seen, and tells of what changed. */
  check(patience?: ProbePatience): Promise<readonly ProviderStanding[]>
}

/** How long providers may take. */
export interface ProbePatience {
  /** To answer at all: five seconds, unless told otherwise. */
  readonly timeoutMs?: number | undefined
  /** To count as well: two seconds, unless told otherwise. */
  readonly slowMs?: ((provider: ProviderName) => number | undefined) | undefined
}

export interface StandingsOptions {
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
  readonly status: ProviderStanding['status']
  readonly seen_status: ProviderStanding['status']
  readonly response_ms: number | null
  readonly models: readonly string[]
  readonly last_error: string | null
  readonly checked_at: Date
  readonly changed_at: Date
}

const columns = 'provider, status, seen_status, response_ms, models, last_error, checked_at, changed_at'

export function createStandings(options: StandingsOptions): Standings {
  const { database, events, providers, catalogue, states } = options

  async function look(
    names: readonly ProviderName[],
    lookAt: (name: ProviderName) => Promise<ProviderState>,
  ): Promise<readonly SeenProvider[]> {
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
    seen: readonly SeenProvider[],
    { slowMs }: ProbePatience,
  ): Promise<readonly ProviderStanding[]> {
    return await database.transaction(async (transaction) => {
      await sql`lock table model_provider_states in share row exclusive mode`.execute(transaction)
      const { rows } = await sql<Row>`select ${sql.raw(columns)} from model_provider_states`.execute(
        transaction,
      )
      const before = new Map(rows.map((row) => [row.provider, standingOf(row)]))
      const standings = seen.map((one) =>
        judgeProbe(before.get(one.provider), one, { slowMs: slowMs?.(one.provider) }),
      )
      for (const standing of standings)
        await sql`
        insert into model_provider_states (${sql.raw(columns)})
        values (
          ${standing.provider}, ${standing.status}, ${standing.seenStatus}, ${standing.responseMs},
          ${standing.models}, ${standing.lastError}, ${standing.checkedAt}, ${standing.changedAt}
        )
        on conflict (provider) do update
        set status = excluded.status, seen_status = excluded.seen_status, response_ms = excluded.response_ms,
          models = excluded.models, last_error = excluded.last_error, checked_at = excluded.checked_at,
          changed_at = excluded.changed_at
      `.execute(transaction)
      const changed = standings.flatMap((standing) => {
        const known = before.get(standing.provider)
        return known === undefined || known.status === standing.status ? [] : [changeOf(known, standing)]
      })
      if (changed.length > 0) await events.appendWithin(transaction, changed)
      return standings
    })
  }

  return {
    async read() {
      const rows = await database.query<Row>(`select ${columns} from model_provider_states`)
      const known = new Map(rows.map((row) => [row.provider, standingOf(row)]))
      const unseen = providers.map(({ name }) => name).filter((name) => !known.has(name))
      if (unseen.length > 0) {
        for (const seen of await look(unseen, (name) => states.look(name)))
          known.set(seen.provider, judgeProbe(undefined, seen))
      }
      return providers.flatMap(({ name }) => known.get(name) ?? [])
    },

    async check(patience = {}) {
      const names = providers.map(({ name }) => name)
      return await store(await look(names, (name) => states.lookNow(name, patience)), patience)
    },
  }
}

function changeOf(before: ProviderStanding, now: ProviderStanding) {
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

function standingOf(row: Row): ProviderStanding {
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
