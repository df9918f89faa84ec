import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import type { Connection, EncryptedConnection, SecretFields } from './connection.ts'
import { decryptFields, encryptFields } from './connection.ts'
import type { OAuthTokens } from './oauth-tokens.ts'
import { markUsed, type Part, readUsable, replaceEncrypted } from './store.ts'

/** Reads the values that executions of an account may use: its own, else shared ones. Values are decrypted for each use and not cached. */
export interface SecretReader {
  /** The secrets with these names; unknown names are absent. Throws a failure of `encryptionFailureTable`. */
  readSecrets(
    accountId: string,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly value: string; readonly allowedHosts: readonly string[] }>>
  /**
   * The credentials of a connection for one request; undefined: there is no such connection. `stale` is an access token that the API
   * refused. Throws a failure of `encryptionFailureTable`, `token_request_failed`, `token_request_failed_for_now`, or the reason of the
   * signal.
   */
  readConnection(
    accountId: string,
    name: string,
    options: { readonly stale?: string | undefined; readonly signal: AbortSignal },
  ): Promise<RequestCredentials | undefined>
  /** The allowed hosts of the secrets and connections with these names, without their values; unknown names are absent. */
  findHosts(
    part: Part,
    accountId: string,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
}

/** The headers and query parameters with which a request sends the credentials of a connection. */
export interface RequestCredentials {
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly allowedHosts: readonly string[]
  /** All secret values in them, which must not be stored. */
  readonly values: readonly string[]
  /** The access token, when it is a cached one that the API may refuse. */
  readonly cachedToken?: string | undefined
}

interface SecretReaderOptions {
  readonly database: Pick<Database, 'query'>
  readonly encryption: Encryption
  readonly tokens: OAuthTokens
}

/** Creates the reader. Does not throw. */
export function createSecretReader({ database, encryption, tokens }: SecretReaderOptions): SecretReader {
  async function open(row: EncryptedConnection): Promise<SecretFields> {
    const fields = await decryptFields(encryption, row)
    // Values of an earlier TUTTI_SECRET are encrypted again, so that the earlier one can be removed.
    if (encryption.canEncrypt() && !(await encryption.isCurrent(row.encrypted)))
      await replaceEncrypted(database, row, await encryptFields(encryption, row.id, fields))
    return fields
  }

  return {
    async readSecrets(accountId, names) {
      const rows = await readUsable(database, 'secret', accountId, names)
      const read = await Promise.all(
        rows.map(async (row) => {
          const { value = '' } = await open(row)
          return [row.name, { value, allowedHosts: row.allowedHosts }] as const
        }),
      )
      await markUsedNow(database, rows)
      return new Map(read)
    },

    async readConnection(accountId, name, options) {
      const [row] = await readUsable(database, 'connection', accountId, [name])
      if (row === undefined) return undefined
      const fields = await open(row)
      await markUsedNow(database, [row])
      return await credentialsOf(row, fields, { tokens, ...options })
    },

    async findHosts(part, accountId, names) {
      const rows = names.length === 0 ? [] : await readUsable(database, part, accountId, names)
      return new Map(rows.map((row) => [row.name, row.allowedHosts]))
    },
  }
}

const usedIntervalMs = 60_000

async function markUsedNow(
  database: Pick<Database, 'query'>,
  rows: readonly Pick<Connection, 'id' | 'usedAt'>[],
): Promise<void> {
  const due = rows.flatMap(({ id, usedAt }) =>
    usedAt === null || Date.now() - usedAt.getTime() > usedIntervalMs ? [id] : [],
  )
  if (due.length > 0) await markUsed(database, due)
}

async function credentialsOf(
  connection: Connection,
  fields: SecretFields,
  {
    tokens,
    stale,
    signal,
  }: { readonly tokens: OAuthTokens; readonly stale?: string | undefined; readonly signal: AbortSignal },
): Promise<RequestCredentials> {
  const { kind, settings, allowedHosts } = connection
  const base = { headers: {}, query: {}, allowedHosts }
  if (kind === 'basic') {
    const { password = '' } = fields
    const encoded = Buffer.from(`${settings.username ?? ''}:${password}`).toString('base64')
    return { ...base, headers: { authorization: `Basic ${encoded}` }, values: [password, encoded] }
  }
  if (kind === 'api_key') {
    const { key = '' } = fields
    const sent = { [settings.name ?? '']: key }
    return { ...base, ...(settings.in === 'query' ? { query: sent } : { headers: sent }), values: [key] }
  }
  if (kind === 'bearer') {
    const { token = '' } = fields
    return { ...base, headers: { authorization: `Bearer ${token}` }, values: [token] }
  }
  const { client_secret: clientSecret = '' } = fields
  const { token, cached } = await tokens.read(connection, clientSecret, { stale, signal })
  return {
    ...base,
    headers: { authorization: `Bearer ${token}` },
    values: [token, clientSecret],
    ...(cached && { cachedToken: token }),
  }
}
