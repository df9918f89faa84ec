import type { Database, DatabaseSettings } from '#kernel/database'
import { createEncryptionKey } from './encrypted-text.ts'
import { createSecretFile } from './secret-file.ts'
import type { EncryptionSettings } from './settings.ts'

/** A secret that this installation decrypts with. */
export interface InstallationSecret {
  /** The id of its keys, which is part of every text that it encrypted. */
  readonly id: string
  readonly source: 'TUTTI_SECRET' | 'TUTTI_SECRET_PREVIOUS' | 'file'
  readonly secret: string
}

interface SecretsOptions {
  readonly settings: EncryptionSettings
  readonly database: Pick<Database, 'kind'>
  readonly dataDir: DatabaseSettings['dataDir']
}

/** The secrets of this installation, the one that encrypts first. Throws `secret_missing` when the file cannot be read. */
export async function readInstallationSecrets(options: SecretsOptions): Promise<InstallationSecret[]> {
  const { settings, database, dataDir } = options
  const fromFile = database.kind === 'embedded' ? await createSecretFile(dataDir).read() : undefined
  const found = [
    { source: 'TUTTI_SECRET', secret: settings.secret },
    ...(settings.secret === undefined ? [{ source: 'file', secret: fromFile } as const] : []),
    { source: 'TUTTI_SECRET_PREVIOUS', secret: settings.previousSecret },
    { source: 'file', secret: fromFile },
  ] as const
  const byId = new Map<string, InstallationSecret>()
  for (const { source, secret } of found) {
    if (secret === undefined) continue
    const id = createEncryptionKey(secret).id
    if (!byId.has(id)) byId.set(id, { id, source, secret })
  }
  return [...byId.values()]
}

/** The key id of a secret. Does not throw. */
export function keyIdOf(secret: string): string {
  return createEncryptionKey(secret).id
}

/**
 * Stores a secret as the one of an embedded database; a different one is kept beside it. Throws `secret_missing` when the file cannot be
 * written.
 */
export async function storeInstallationSecret(dataDir: string, secret: string): Promise<void> {
  await createSecretFile(dataDir).replace(secret)
}
