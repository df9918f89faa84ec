import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '#kernel/database'
import type { AssociatedData, Encryption } from '#kernel/encryption'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { AuditContext } from '../audit-context.ts'
import { openCachedTable } from '../cached-table.ts'
import type { ProviderKeys } from '../provider-keys/provider-keys.ts'
import type { ProviderName } from '../providers/provider.ts'
import type { ProviderConfig, StoredKind, StoredProvider } from './stored-provider.ts'

export type StoredProvidersByName = ReadonlyMap<ProviderName, StoredProvider>

/** Fields that are left out stay unchanged. */
export type ProviderChanges = Partial<ProviderConfig> & { readonly apiKey?: string | undefined }

/** The providers that operators added. All replicas are notified of a change. */
export interface StoredProviders extends AsyncDisposable {
  /** All providers, cached, ordered by name; the same object until one changes. */
  read(): Promise<StoredProvidersByName>
  /** Loads the providers without waiting for the notification of a change. */
  reload(): Promise<void>
  /** Throws `conflict` when the name is taken or there are too many providers. */
  create(
    name: ProviderName,
    config: ProviderConfig,
    options: { readonly apiKey: string | undefined; readonly audit: AuditContext },
  ): Promise<void>
  /**
   * Throws `not_found` for an unknown name. A change of the kind or of the origin of the base URL removes the stored key and
   * headers, unless new ones are given: a key is never sent to another server than the one it was stored for.
   */
  change(name: ProviderName, changes: ProviderChanges, audit: AuditContext): Promise<void>
  /** Removes the provider with its key and its health. Throws `not_found` for an unknown name. */
  remove(name: ProviderName, audit: AuditContext): Promise<void>
}

export interface StoredProvidersOptions {
  readonly database: Database
  readonly encryption: Encryption
  readonly events: Pick<Events, 'appendWithin'>
  readonly keys: Pick<ProviderKeys, 'storeWithin' | 'removeWithin' | 'reload'>
  readonly log: Logger
  /** Called when a stored provider changed. */
  readonly onChange?: () => void
}

/** Each provider has connections and a cached model list in every replica. */
export const maxStoredProviders = 100

interface Row {
  readonly name: ProviderName
  readonly kind: StoredKind
  readonly base_url: string
  readonly headers: string | null
  readonly header_names: readonly string[]
  readonly models: readonly string[] | null
  readonly default_model: string | null
  readonly price_list: string | null
  readonly enabled: boolean
  readonly revision: string
  readonly created_at: Date
  readonly created_by: string | null
  readonly updated_at: Date
  readonly updated_by: string | null
}

const columns = `name, kind, base_url, headers, header_names, models, default_model, price_list, enabled, revision,
  created_at, created_by, updated_at, updated_by`

export async function openStoredProviders(options: StoredProvidersOptions): Promise<StoredProviders> {
  const { database, encryption, events, keys, log, onChange } = options
  const table = await openCachedTable({ database, channel: 'model_providers_changed', log, load, onChange })

  async function load(): Promise<StoredProvidersByName> {
    const rows = await database.query<Row>(`select ${columns} from model_providers order by name`)
    return new Map(await Promise.all(rows.map(async (row) => [row.name, await openRow(row)] as const)))
  }

  async function openRow(row: Row): Promise<StoredProvider> {
    const { name } = row
    try {
      const text =
        row.headers === null ? undefined : await encryption.decrypt(row.headers, associatedDataOf(name))
      if (text !== undefined) await reencrypt(row, text)
      const headers = text === undefined ? undefined : (JSON.parse(text) as Record<string, string>)
      return toProvider(row, { headers, problem: null })
    } catch (error) {
      // Headers that cannot be decrypted must not make other providers or requests fail.
      if (!(error instanceof Failure) || error.status !== 409) throw error
      log.error({ provider: name, code: error.code }, 'the headers of a provider cannot be decrypted')
      return toProvider(row, { headers: undefined, problem: error.message })
    }
  }

  /** Encrypts the headers with the current secret, so that the previous secret can be removed. */
  async function reencrypt({ name, headers }: Row, text: string): Promise<void> {
    if (headers === null || !encryption.canEncrypt() || (await encryption.isCurrent(headers))) return
    const again = await encryption.encrypt(text, associatedDataOf(name))
    await database.query('update model_providers set headers = $1 where name = $2 and headers = $3', [
      again,
      name,
      headers,
    ])
  }

  async function encryptHeaders(name: ProviderName, headers: ProviderConfig['headers']) {
    if (headers === undefined || Object.keys(headers).length === 0) return null
    return await encryption.encrypt(JSON.stringify(headers), associatedDataOf(name))
  }

  /** Changes the table and what depends on it in one transaction, then loads both in this process. */
  async function commit(
    name: ProviderName,
    event: { readonly type: string; readonly data: object },
    work: (transaction: Transaction<object>) => Promise<void>,
  ): Promise<void> {
    await database.transaction(async (transaction) => {
      await work(transaction)
      // The health of other settings says nothing about the new ones.
      await sql`delete from model_provider_states where provider = ${name}`.execute(transaction)
      await table.notifyWithin(transaction)
      await events.appendWithin(transaction, { ...event, subject: name, data: { ...event.data } })
    })
    await Promise.all([table.reload(), keys.reload()])
  }

  return {
    read: () => table.read(),

    async reload() {
      await table.reload()
    },

    async create(name, config, { apiKey, audit }) {
      const headers = await encryptHeaders(name, config.headers)
      const event = { type: 'models.provider_added', data: { ...shownSettings(config), ...audit } }
      await commit(name, event, async (transaction) => {
        await sql`lock table model_providers in share row exclusive mode`.execute(transaction)
        await requireSpace(transaction, name)
        const { kind, baseUrl, models = null, defaultModel = null, priceList = null, enabled } = config
        await sql`
          insert into model_providers
            (name, kind, base_url, headers, header_names, models, default_model, price_list, enabled, created_by, updated_by)
          values (
            ${name}, ${kind}, ${baseUrl}, ${headers}, ${headerNamesOf(config)}, ${models}, ${defaultModel},
            ${priceList}, ${enabled}, ${audit.by}, ${audit.by}
          )
        `.execute(transaction)
        // A key may be left of a provider of this name in the environment of an earlier start.
        await keys.removeWithin(transaction, name, audit)
        if (apiKey !== undefined) await keys.storeWithin(transaction, name, apiKey, audit)
      })
    },

    async change(name, { apiKey, ...changes }, audit) {
      const newHeaders = 'headers' in changes ? await encryptHeaders(name, changes.headers) : undefined
      const event = {
        type: 'models.provider_changed',
        data: { changed: changedFields({ ...changes, apiKey }), ...audit },
      }
      await commit(name, event, async (transaction) => {
        const row = await lockRow(transaction, name)
        const isMoved = movesTo(row, changes)
        const keepsHeaders = newHeaders === undefined && !isMoved
        await sql`
          update model_providers
          set kind = ${changes.kind ?? row.kind},
            base_url = ${changes.baseUrl ?? row.base_url},
            headers = ${keepsHeaders ? row.headers : (newHeaders ?? null)},
            header_names = ${keepsHeaders ? row.header_names : headerNamesOf(changes)},
            models = ${'models' in changes ? (changes.models ?? null) : row.models},
            default_model = ${'defaultModel' in changes ? (changes.defaultModel ?? null) : row.default_model},
            price_list = ${'priceList' in changes ? (changes.priceList ?? null) : row.price_list},
            enabled = ${changes.enabled ?? row.enabled},
            revision = gen_random_uuid(),
            updated_at = now(),
            updated_by = ${audit.by}
          where name = ${name}
        `.execute(transaction)
        if (apiKey !== undefined) await keys.storeWithin(transaction, name, apiKey, audit)
        else if (isMoved) await keys.removeWithin(transaction, name, audit)
      })
    },

    async remove(name, audit) {
      await commit(name, { type: 'models.provider_removed', data: audit }, async (transaction) => {
        await lockRow(transaction, name)
        await sql`delete from model_providers where name = ${name}`.execute(transaction)
        await keys.removeWithin(transaction, name, audit)
      })
    },

    [Symbol.asyncDispose]: () => table[Symbol.asyncDispose](),
  }
}

async function lockRow(transaction: Transaction<object>, name: ProviderName): Promise<Row> {
  const statement: RawBuilder<Row> = sql<Row>`
    select ${sql.raw(columns)} from model_providers where name = ${name} for update
  `
  const [row] = (await statement.execute(transaction)).rows
  if (row === undefined)
    throw kernelFailure('not_found', { message: `There is no stored provider "${name}".` })
  return row
}

async function requireSpace(transaction: Transaction<object>, name: ProviderName): Promise<void> {
  const { rows } = await sql<{ readonly total: number; readonly taken: boolean }>`
    select count(*)::integer as total, coalesce(bool_or(name = ${name}), false) as taken from model_providers
  `.execute(transaction)
  const { total = 0, taken = false } = rows[0] ?? {}
  if (taken) throw kernelFailure('conflict', { message: `There already is a provider "${name}".` })
  if (total >= maxStoredProviders) {
    throw kernelFailure('conflict', {
      message: `There are already ${maxStoredProviders} providers, which is the limit. Delete one first.`,
    })
  }
}

/** Whether the changes lead to another server. */
function movesTo(row: Row, { kind = row.kind, baseUrl = row.base_url }: ProviderChanges): boolean {
  return kind !== row.kind || new URL(baseUrl).origin !== new URL(row.base_url).origin
}

/** What the audit log shows of the settings: no header values. */
function shownSettings(config: ProviderConfig) {
  const { kind, baseUrl, models = null, defaultModel = null, priceList = null, enabled } = config
  return {
    kind,
    base_url: baseUrl,
    header_names: headerNamesOf(config),
    models,
    default_model: defaultModel,
    price_list: priceList,
    enabled,
  }
}

/** The fields of the API. */
const fieldNames = {
  kind: 'kind',
  baseUrl: 'base_url',
  headers: 'headers',
  models: 'model_ids',
  defaultModel: 'default_model',
  priceList: 'price_list',
  enabled: 'enabled',
  apiKey: 'api_key',
} as const satisfies Record<keyof ProviderChanges, string>

function changedFields({ apiKey, ...changes }: ProviderChanges): string[] {
  const given = [...Object.keys(changes), ...(apiKey === undefined ? [] : ['apiKey'])]
  return given.map((field) => fieldNames[field as keyof ProviderChanges])
}

function headerNamesOf({ headers = {} }: Pick<ProviderChanges, 'headers'>): string[] {
  return Object.keys(headers).sort()
}

function associatedDataOf(provider: ProviderName): AssociatedData {
  return { purpose: 'provider-headers', place: provider }
}

function toProvider(
  row: Row,
  { headers, problem }: Pick<StoredProvider, 'headers' | 'problem'>,
): StoredProvider {
  return {
    name: row.name,
    kind: row.kind,
    baseUrl: row.base_url,
    headers,
    headerNames: row.header_names,
    models: row.models ?? undefined,
    defaultModel: row.default_model ?? undefined,
    priceList: row.price_list ?? undefined,
    enabled: row.enabled,
    problem,
    revision: row.revision,
    createdAt: row.created_at,
    createdBy: row.created_by,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
  }
}
