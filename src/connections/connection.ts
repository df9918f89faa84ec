import type { Encryption } from '#kernel/encryption'

/** The kinds of connections: how a request sends the credentials. */
export const connectionKinds = ['bearer', 'basic', 'api_key', 'oauth2_client_credentials'] as const

export type ConnectionKind = (typeof connectionKinds)[number]

/** A secret is one value that flows name; it has no settings. */
export type StoredKind = 'secret' | ConnectionKind

/** The part of a connection that is not secret. */
export interface ConnectionSettings {
  /** basic */
  readonly username?: string
  /** api_key: where the key is sent. */
  readonly in?: 'header' | 'query'
  /** api_key: the name of the header or query parameter. */
  readonly name?: string
  /** oauth2_client_credentials */
  readonly token_url?: string
  readonly client_id?: string
  readonly scopes?: readonly string[]
  readonly audience?: string
  readonly client_authentication?: 'basic' | 'body'
}

/** The secret values, by the name of their field; a secret has `value`. */
export type SecretFields = Readonly<Record<string, string>>

/** A stored secret or connection, without its secret values. */
export interface Connection {
  readonly id: string
  readonly accountId: string
  readonly kind: StoredKind
  readonly name: string
  readonly settings: ConnectionSettings
  readonly allowedHosts: readonly string[]
  readonly shared: boolean
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly usedAt: Date | null
}

export interface EncryptedConnection extends Connection {
  readonly encrypted: string
}

export const namePattern = '^[a-z][a-z0-9_]{0,63}$'

export const maxPerAccount = 200

export async function encryptFields(
  encryption: Pick<Encryption, 'encrypt'>,
  id: string,
  fields: SecretFields,
): Promise<string> {
  return await encryption.encrypt(JSON.stringify(fields), associatedDataOf(id))
}

/** Throws a failure of `encryptionFailureTable` when the values were encrypted with another secret, changed or moved. */
export async function decryptFields(
  encryption: Pick<Encryption, 'decrypt'>,
  { id, encrypted }: Pick<EncryptedConnection, 'id' | 'encrypted'>,
): Promise<SecretFields> {
  return JSON.parse(await encryption.decrypt(encrypted, associatedDataOf(id))) as SecretFields
}

function associatedDataOf(id: string) {
  return { purpose: 'connection', place: id }
}
