import type { Database, DatabaseSettings } from '#kernel/database'
import { sealingFailure } from './errors.ts'
import { createSealingKey, readParts, type SealingKey, type Seat } from './sealed-text.ts'
import { createSecretFile } from './secret-file.ts'
import type { SealingSettings } from './settings.ts'

/**
 * Texts that the database keeps and only this installation can read.
 *
 * | there is                                | seals                  | opens                                      |
 * |-----------------------------------------|------------------------|--------------------------------------------|
 * | TUTTI_SECRET                            | with it                | with it, TUTTI_SECRET_PREVIOUS, the file   |
 * | none, and the embedded database         | with the file's, which | with the file's, TUTTI_SECRET_PREVIOUS     |
 * |                                         | the first use makes    |                                            |
 * | none, and a server of one's own         | nothing                | with TUTTI_SECRET_PREVIOUS                 |
 *
 * The file is that of an embedded database; there is none beside a server.
 */
export interface Sealing {
  /** Whether there is a secret to seal with, or one can be made. */
  canSeal(): boolean
  /** Throws `secret_missing`, which says what to set. */
  seal(text: string, seat: Seat): Promise<string>
  /** Throws `secret_wrong` when it was sealed with a secret we do not have, `sealed_damaged` when it stands elsewhere now. */
  open(sealed: string, seat: Seat): Promise<string>
  /** Whether it was sealed with the secret of now; what was not should be sealed again. */
  isCurrent(sealed: string): Promise<boolean>
}

export interface SealingOptions {
  readonly settings: SealingSettings
  readonly database: Pick<Database, 'kind'>
  /** The folder of the embedded database. */
  readonly dataDir: DatabaseSettings['dataDir']
}

export function createSealing({ settings, database, dataDir }: SealingOptions): Sealing {
  const file = database.kind === 'embedded' ? createSecretFile(dataDir) : undefined
  const configured = keyOf(settings.secret)
  const previous = keyOf(settings.previousSecret)
  let fromFile: SealingKey | undefined

  /** The key to seal with; undefined when there is none and none may be made now. */
  async function current({ make }: { readonly make: boolean }): Promise<SealingKey | undefined> {
    return configured ?? (await fileKey(make))
  }

  async function fileKey(make: boolean): Promise<SealingKey | undefined> {
    fromFile ??= keyOf(await (make ? file?.readOrMake() : file?.read()))
    return fromFile
  }

  return {
    canSeal: () => configured !== undefined || file !== undefined,

    async seal(text, seat) {
      const key = await current({ make: true })
      if (key === undefined) throw sealingFailure('secret_missing')
      return key.seal(text, seat)
    },

    async open(sealed, seat) {
      const { keyId } = readParts(sealed)
      const known = [configured, previous].find((key) => key?.id === keyId) ?? (await fileKey(false))
      if (known?.id !== keyId) throw sealingFailure('secret_wrong')
      return known.open(sealed, seat)
    },

    async isCurrent(sealed) {
      return (await current({ make: false }))?.id === readParts(sealed).keyId
    },
  }
}

function keyOf(secret: string | undefined): SealingKey | undefined {
  return secret === undefined ? undefined : createSealingKey(secret)
}
