import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { AuditContext } from '../audit-context.ts'
import { openCachedTable } from '../cached-table.ts'
import type { ProviderName } from '../providers/provider.ts'

/** The limits of a model, or of all models of a provider together. Null: no such limit. */
export interface ModelLimit {
  readonly provider: ProviderName
  /** The id of the model, or `allModels`. */
  readonly model: string
  /** Calls that each replica runs at the same time. */
  readonly maxConcurrent: number | null
  /** Counted by all replicas together, like the tokens. */
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
  readonly updatedAt: Date
  /** The account that set it. */
  readonly updatedBy: string | null
}

/** In place of a model: the limit applies to all models of the provider together. */
export const allModels = '*'

export const maxModelLimits = 1000

/** By `limitKey`. */
export type LimitsByModel = ReadonlyMap<string, ModelLimit>

type NewLimit = Omit<ModelLimit, 'updatedAt' | 'updatedBy'>

/** The limits that operators set. All replicas are notified of a change. */
export interface ModelLimits extends AsyncDisposable {
  /** All limits, cached; the same object until one changes. */
  read(): Promise<LimitsByModel>
  /** Calls the listener after each change, also one by another replica. */
  onChange(listener: (limits: LimitsByModel) => void): void
  /** Throws `conflict` above `maxModelLimits`. */
  set(limit: NewLimit, audit: AuditContext): Promise<ModelLimit>
  /** Returns whether the limit existed. */
  remove(provider: ProviderName, model: string, audit: AuditContext): Promise<boolean>
}

export interface ModelLimitsOptions {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
  readonly log: Logger
}

const loadStatement = `
  select provider, model, max_concurrent as "maxConcurrent", requests_per_minute as "requestsPerMinute",
    tokens_per_minute as "tokensPerMinute", updated_at as "updatedAt", updated_by as "updatedBy"
  from model_limits
  order by provider, model
`

export function limitKey(provider: ProviderName, model: string): string {
  return `${provider}/${model}`
}

export async function openModelLimits({ database, events, log }: ModelLimitsOptions): Promise<ModelLimits> {
  const listeners: ((limits: LimitsByModel) => void)[] = []
  const table = await openCachedTable({
    database,
    channel: 'model_limits_changed',
    log,
    async load() {
      const rows = await database.query<ModelLimit>(loadStatement)
      const limits = new Map(rows.map((row) => [limitKey(row.provider, row.model), row]))
      for (const listener of listeners) listener(limits)
      return limits
    },
  })
  return {
    read: () => table.read(),

    onChange(listener) {
      listeners.push(listener)
    },

    async set({ provider, model, maxConcurrent, requestsPerMinute, tokensPerMinute }, audit) {
      await database.transaction(async (transaction) => {
        // One writer at a time, so that the bound on their number holds.
        await sql`lock table model_limits in share row exclusive mode`.execute(transaction)
        const { rows } = await sql<{ others: number }>`
          select count(*)::integer as others
          from model_limits
          where (provider, model) <> (${provider}, ${model})
        `.execute(transaction)
        if ((rows[0]?.others ?? 0) >= maxModelLimits) {
          throw kernelFailure('conflict', {
            message: `There are already limits for ${maxModelLimits} models, which is the maximum. Delete one first.`,
          })
        }
        await sql`
          insert into model_limits
            (provider, model, max_concurrent, requests_per_minute, tokens_per_minute, updated_at, updated_by)
          values
            (${provider}, ${model}, ${maxConcurrent}, ${requestsPerMinute}, ${tokensPerMinute}, now(), ${audit.by})
          on conflict (provider, model) do update
          set max_concurrent = excluded.max_concurrent, requests_per_minute = excluded.requests_per_minute,
            tokens_per_minute = excluded.tokens_per_minute, updated_at = excluded.updated_at,
            updated_by = excluded.updated_by
        `.execute(transaction)
        await table.notifyWithin(transaction)
        await events.appendWithin(transaction, {
          type: 'models.limit_set',
          subject: limitKey(provider, model),
          data: {
            max_concurrent: maxConcurrent,
            requests_per_minute: requestsPerMinute,
            tokens_per_minute: tokensPerMinute,
            ...audit,
          },
        })
      })
      const stored = (await table.reload()).get(limitKey(provider, model))
      if (stored === undefined) {
        throw kernelFailure('conflict', { message: 'The limit was deleted by another request meanwhile.' })
      }
      return stored
    },

    async remove(provider, model, audit) {
      const removed = await database.transaction(async (transaction) => {
        const { rows } = await sql`
          delete from model_limits where provider = ${provider} and model = ${model} returning model
        `.execute(transaction)
        if (rows.length === 0) return false
        await table.notifyWithin(transaction)
        await events.appendWithin(transaction, {
          type: 'models.limit_removed',
          subject: limitKey(provider, model),
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
