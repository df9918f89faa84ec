import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Sealing, Seat } from '#kernel/sealing'
import type { Logger } from '#kernel/telemetry'
import type { AskedBy } from '../asked-by.ts'
import { remember } from '../remembered.ts'
import { hintOf } from './hint.ts'

/** Providers that want to be shown a key, with the variable it can come from. */
export const keyVariables = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY' } as const

export type KeyedProvider = keyof typeof keyVariables

/** What may be told about a key: never the key. */
export interface KeyDescription {
  readonly source: 'environment' | 'stored' | null
  /** Its last characters, for a person to tell it by. */
  readonly hint: string | null
  /** Why a key that is stored cannot be used. */
  readonly problem: string | null
  readonly updatedAt: Date | null
  /** The account that stored it. */
  readonly updatedBy: string | null
}

/** The keys of providers: of the environment, else stored here, sealed. A change holds in all replicas once they hear of it. */
export interface ProviderKeys extends AsyncDisposable {
  /** Undefined when there is none that can be used. */
  read(provider: KeyedProvider): Promise<string | undefined>
  describe(provider: KeyedProvider): Promise<KeyDescription>
  /** Refused where the environment has a key, because that one would win. */
  store(provider: KeyedProvider, key: string, asked: AskedBy): Promise<KeyDescription>
  /** Answers whether one was stored. */
  remove(provider: KeyedProvider, asked: AskedBy): Promise<boolean>
}

export interface ProviderKeysOptions {
  readonly database: Database
  readonly sealing: Sealing
  readonly events: Pick<Events, 'appendWithin'>
  /** The keys of the environment. */
  readonly environment: Readonly<Record<KeyedProvider, string | undefined>>
  readonly log: Logger
}

interface Row {
  readonly provider: KeyedProvider
  readonly sealed: string
  /** Empty for a key too short to be told by a part of it. */
  readonly hint: string
  readonly updated_at: Date
  readonly updated_by: string | null
}

interface StoredKey {
  readonly key: string | undefined
  readonly description: KeyDescription
}

const noKey: KeyDescription = { source: null, hint: null, problem: null, updatedAt: null, updatedBy: null }

export async function openProviderKeys(options: ProviderKeysOptions): Promise<ProviderKeys> {
  const { database, sealing, events, environment, log } = options
  const stored = await remember({ database, channel: 'model_provider_keys_changed', log, load })

  async function load(): Promise<ReadonlyMap<KeyedProvider, StoredKey>> {
    const rows = await database.query<Row>(
      'select provider, sealed, hint, updated_at, updated_by from model_provider_keys',
    )
    return new Map(await Promise.all(rows.map(async (row) => [row.provider, await openRow(row)] as const)))
  }

  async function openRow(row: Row): Promise<StoredKey> {
    const { provider, sealed, updated_at: updatedAt, updated_by: updatedBy } = row
    const hint = row.hint || null
    const description = { source: 'stored', hint, problem: null, updatedAt, updatedBy } as const
    try {
      const key = await sealing.open(sealed, seatOf(provider))
      await sealAgain(row, key)
      return { key, description }
    } catch (error) {
      // One key that cannot be opened is no reason for the others, or for anybody's request, to fail.
      if (!(error instanceof Failure) || error.status !== 409) throw error
      log.error({ provider, code: error.code }, 'the stored key of a provider cannot be opened')
      return { key: undefined, description: { ...description, problem: error.message } }
    }
  }

  /** After a change of the secret, so that the one before it is soon needed by nobody. */
  async function sealAgain({ provider, sealed }: Row, key: string): Promise<void> {
    if (!sealing.canSeal() || (await sealing.isCurrent(sealed))) return
    const again = await sealing.seal(key, seatOf(provider))
    await database.query('update model_provider_keys set sealed = $1 where provider = $2 and sealed = $3', [
      again,
      provider,
      sealed,
    ])
    log.info({ provider }, 'the stored key of a provider was sealed with the new secret')
  }

  async function describe(provider: KeyedProvider): Promise<KeyDescription> {
    const given = environment[provider]
    if (given !== undefined) return { ...noKey, source: 'environment', hint: hintOf(given) }
    return (await stored.read()).get(provider)?.description ?? noKey
  }

  return {
    read: async (provider) => environment[provider] ?? (await stored.read()).get(provider)?.key,
    describe,

    async store(provider, key, asked) {
      if (environment[provider] !== undefined) throw environmentWins(provider)
      const hint = hintOf(key)
      const sealed = await sealing.seal(key, seatOf(provider))
      await database.transaction(async (transaction) => {
        await sql`
          insert into model_provider_keys (provider, sealed, hint, updated_at, updated_by)
          values (${provider}, ${sealed}, ${hint ?? ''}, now(), ${asked.by})
          on conflict (provider) do update
          set sealed = excluded.sealed, hint = excluded.hint,
            updated_at = excluded.updated_at, updated_by = excluded.updated_by
        `.execute(transaction)
        await stored.tellWithin(transaction)
        await events.appendWithin(transaction, {
          type: 'models.provider_key_stored',
          subject: provider,
          data: { hint, ...asked },
        })
      })
      await stored.readAgain()
      return await describe(provider)
    },

    async remove(provider, asked) {
      const removed = await database.transaction(async (transaction) => {
        const { rows } = await sql<Pick<Row, 'hint'>>`
          delete from model_provider_keys where provider = ${provider} returning hint
        `.execute(transaction)
        const [row] = rows
        if (row === undefined) return false
        await stored.tellWithin(transaction)
        await events.appendWithin(transaction, {
          type: 'models.provider_key_removed',
          subject: provider,
          data: { hint: row.hint || null, ...asked },
        })
        return true
      })
      if (removed) await stored.readAgain()
      return removed
    },

    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  }
}

function seatOf(provider: KeyedProvider): Seat {
  return { purpose: 'provider-key', place: provider }
}

function environmentWins(provider: KeyedProvider) {
  return kernelFailure('conflict', {
    message: `${keyVariables[provider]} is set and wins over a stored key. Unset it first.`,
  })
}
