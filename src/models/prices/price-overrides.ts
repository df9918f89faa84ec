import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { AuditContext } from '../audit-context.ts'
import { openCachedTable } from '../cached-table.ts'
import type { ProviderName } from '../providers/provider.ts'
import { dollarsOf } from './micro-dollars.ts'

/** A price set by an operator, which overrides the price table. In whole micro-dollars for a million tokens. */
export interface PriceOverride {
  readonly provider: ProviderName
  readonly model: string
  readonly input: number
  readonly cachedInput: number
  readonly output: number
  readonly updatedAt: Date
  /** The account that set it. */
  readonly updatedBy: string | null
}

/** By `overrideKey`. */
export type OverridesByModel = ReadonlyMap<string, PriceOverride>

type NewOverride = Pick<PriceOverride, 'provider' | 'model' | 'input' | 'cachedInput' | 'output'>

/** The prices set by operators. All replicas are notified of a change. */
export interface PriceOverrides extends AsyncDisposable {
  /** All overrides, cached; the same object until one changes. */
  read(): Promise<OverridesByModel>
  set(override: NewOverride, audit: AuditContext): Promise<PriceOverride>
  /** Returns whether the override existed. */
  remove(provider: ProviderName, model: string, audit: AuditContext): Promise<boolean>
}

export interface PriceOverridesOptions {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
  readonly log: Logger
  /** Called when a price changed. */
  readonly onChange?: () => void
}

interface Row {
  readonly provider: ProviderName
  readonly model: string
  readonly input: number
  readonly cached_input: number
  readonly output: number
  readonly updated_at: Date
  readonly updated_by: string | null
}

const loadStatement = `
  select provider, model, input, cached_input, output, updated_at, updated_by from model_prices
`

export function overrideKey(provider: ProviderName, model: string): string {
  return `${provider}/${model}`
}

export async function openPriceOverrides(options: PriceOverridesOptions): Promise<PriceOverrides> {
  const { database, events, log, onChange } = options
  const table = await openCachedTable({
    database,
    onChange,
    channel: 'model_prices_changed',
    log,
    load: async () => toMap(await database.query<Row>(loadStatement)),
  })
  return {
    read: () => table.read(),

    async set({ provider, model, input, cachedInput, output }, audit) {
      const row = await database.transaction(async (transaction) => {
        const { rows } = await sql<Row>`
          insert into model_prices (provider, model, input, cached_input, output, updated_at, updated_by)
          values (${provider}, ${model}, ${input}, ${cachedInput}, ${output}, now(), ${audit.by})
          on conflict (provider, model) do update
          set input = excluded.input, cached_input = excluded.cached_input, output = excluded.output,
            updated_at = excluded.updated_at, updated_by = excluded.updated_by
          returning provider, model, input, cached_input, output, updated_at, updated_by
        `.execute(transaction)
        await table.notifyWithin(transaction)
        const dollars = {
          input: dollarsOf(input),
          cached_input: dollarsOf(cachedInput),
          output: dollarsOf(output),
        }
        await events.appendWithin(transaction, {
          type: 'models.price_set',
          subject: overrideKey(provider, model),
          data: { ...dollars, ...audit },
        })
        return rows[0]
      })
      await table.reload()
      if (row === undefined) throw new Error('the price was not stored')
      return toOverride(row)
    },

    async remove(provider, model, audit) {
      const removed = await database.transaction(async (transaction) => {
        const { rows } = await sql`
          delete from model_prices where provider = ${provider} and model = ${model} returning model
        `.execute(transaction)
        if (rows.length === 0) return false
        await table.notifyWithin(transaction)
        await events.appendWithin(transaction, {
          type: 'models.price_removed',
          subject: overrideKey(provider, model),
          data: { ...audit },
        })
        return true
      })
      if (removed) await table.reload()
      return removed
    },

    [Symbol.asyncDispose]: () => table[Symbol.asyncDispose](),
  }
}

function toMap(rows: readonly Row[]): OverridesByModel {
  return new Map(rows.map((row) => [overrideKey(row.provider, row.model), toOverride(row)]))
}

function toOverride(row: Row): PriceOverride {
  return {
    provider: row.provider,
    model: row.model,
    input: row.input,
    cachedInput: row.cached_input,
    output: row.output,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
  }
}
