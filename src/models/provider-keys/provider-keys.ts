import { sql, type Transaction } from 'kysely'
import type { Database } from '#kernel/database'
import type { AssociatedData, Encryption } from '#kernel/encryption'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { AuditContext } from '../audit-context.ts'
import { openCachedTable } from '../cached-table.ts'
import type { ProviderName } from '../providers/provider.ts'

/** An API key from the environment. */
export interface EnvironmentKey {
  readonly variable: string
  readonly key: string
}

/** A description of an API key, without the key. */
export interface KeyDescription {
  readonly source: 'environment' | 'stored' | null
  /** The last characters of the key, by which people recognise it. */
  readonly hint: string | null
  /** Why the stored key cannot be used. */
  readonly problem: string | null
  readonly updatedAt: Date | null
  /** The account that stored it. */
  readonly updatedBy: string | null
}

/** The API keys of providers: from the environment, else stored encrypted. All replicas are notified of a change. */
export interface ProviderKeys extends AsyncDisposable {
  /** Undefined when there is no usable key. */
  read(provider: ProviderName): Promise<string | undefined>
  describe(provider: ProviderName): Promise<KeyDescription>
  /** Throws `conflict` when the environment has a key, because that key takes precedence. */
  store(provider: ProviderName, key: string, audit: AuditContext): Promise<KeyDescription>
  /** Returns whether a key was stored. */
  remove(provider: ProviderName, audit: AuditContext): Promise<boolean>
  /** Stores a key as part of a transaction. `reload` must follow its commit. */
  storeWithin(
    transaction: Transaction<object>,
    provider: ProviderName,
    key: string,
    audit: AuditContext,
  ): Promise<void>
  /** Removes a key as part of a transaction. `reload` must follow its commit. Returns whether a key was stored. */
  removeWithin(
    transaction: Transaction<object>,
    provider: ProviderName,
    audit: AuditContext,
  ): Promise<boolean>
  /** Loads the keys without waiting for the notification of a change. */
  reload(): Promise<void>
}

export interface ProviderKeysOptions {
  readonly database: Database
  readonly encryption: Encryption
  readonly events: Pick<Events, 'appendWithin'>
  /** By name of the provider. */
  readonly environment: ReadonlyMap<ProviderName, EnvironmentKey>
  readonly log: Logger
  /** Called when a stored key changed. */
  readonly onChange?: () => void
}

interface Row {
  readonly provider: ProviderName
  readonly sealed: string
  /** Empty for a short key. */
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
  const { database, encryption, events, environment, log, onChange } = options
  const stored = await openCachedTable({
    database,
    channel: 'model_provider_keys_changed',
    log,
    load,
    onChange,
  })

  async function load(): Promise<ReadonlyMap<ProviderName, StoredKey>> {
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
      const key = await encryption.decrypt(sealed, associatedDataOf(provider))
      await reencrypt(row, key)
      return { key, description }
    } catch (error) {
      // A key that cannot be decrypted must not make other providers or requests fail.
      if (!(error instanceof Failure) || error.status !== 409) throw error
      log.error({ provider, code: error.code }, 'the stored key of a provider cannot be decrypted')
      return { key: undefined, description: { ...description, problem: error.message } }
    }
  }

  /** Encrypts the key with the current secret, so that the previous secret can be removed. */
  async function reencrypt({ provider, sealed }: Row, key: string): Promise<void> {
    if (!encryption.canEncrypt() || (await encryption.isCurrent(sealed))) return
    const again = await encryption.encrypt(key, associatedDataOf(provider))
    await database.query('update model_provider_keys set sealed = $1 where provider = $2 and sealed = $3', [
      again,
      provider,
      sealed,
    ])
    log.info({ provider }, 'the stored key of a provider was encrypted with the new secret')
  }

  async function describe(provider: ProviderName): Promise<KeyDescription> {
    const given = environment.get(provider)
    if (given !== undefined) return { ...noKey, source: 'environment', hint: hintOf(given.key) }
    return (await stored.read()).get(provider)?.description ?? noKey
  }

  async function storeWithin(
    transaction: Transaction<object>,
    provider: ProviderName,
    key: string,
    audit: AuditContext,
  ): Promise<void> {
    const given = environment.get(provider)
    if (given !== undefined) throw environmentWins(given)
    const hint = hintOf(key)
    const sealed = await encryption.encrypt(key, associatedDataOf(provider))
    await sql`
      insert into model_provider_keys (provider, sealed, hint, updated_at, updated_by)
      values (${provider}, ${sealed}, ${hint ?? ''}, now(), ${audit.by})
      on conflict (provider) do update
      set sealed = excluded.sealed, hint = excluded.hint,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by
    `.execute(transaction)
    await stored.notifyWithin(transaction)
    await events.appendWithin(transaction, {
      type: 'models.provider_key_stored',
      subject: provider,
      data: { hint, ...audit },
    })
  }

  async function removeWithin(
    transaction: Transaction<object>,
    provider: ProviderName,
    audit: AuditContext,
  ): Promise<boolean> {
    const { rows } = await sql<Pick<Row, 'hint'>>`
      delete from model_provider_keys where provider = ${provider} returning hint
    `.execute(transaction)
    const [row] = rows
    if (row === undefined) return false
    await stored.notifyWithin(transaction)
    await events.appendWithin(transaction, {
      type: 'models.provider_key_removed',
      subject: provider,
      data: { hint: row.hint || null, ...audit },
    })
    return true
  }

  async function reload(): Promise<void> {
    await stored.reload()
  }

  return {
    read: async (provider) => environment.get(provider)?.key ?? (await stored.read()).get(provider)?.key,
    describe,
    storeWithin,
    removeWithin,
    reload,

    async store(provider, key, audit) {
      await database.transaction((transaction) => storeWithin(transaction, provider, key, audit))
      await reload()
      return await describe(provider)
    },

    async remove(provider, audit) {
      const removed = await database.transaction((transaction) => removeWithin(transaction, provider, audit))
      if (removed) await reload()
      return removed
    },

    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  }
}

function associatedDataOf(provider: ProviderName): AssociatedData {
  return { purpose: 'provider-key', place: provider }
}

function environmentWins({ variable }: EnvironmentKey) {
  return kernelFailure('conflict', {
    message: `${variable} is set and takes precedence over a stored key. Unset it first.`,
  })
}

/** Four characters would reveal too much of a shorter key. */
const minHintedLength = 16

/** The last four characters of a key. */
function hintOf(key: string): string | null {
  return key.length < minHintedLength ? null : key.slice(-4)
}
