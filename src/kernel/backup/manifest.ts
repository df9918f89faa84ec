import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** The version of the file format. A program refuses files with a higher one. */
export const formatVersion = 1

export const manifestName = 'manifest.json'
export const keyName = 'key.json'
export const indexName = 'index.json'

/** The name of a part: a piece of the rows of a table, in their order. */
export function partName(table: string, number: number): string {
  return `${partPrefix(table)}${String(number).padStart(6, '0')}.copy.gz`
}

/** The beginning of the names of all parts of a table. */
export function partPrefix(table: string): string {
  return `rows/${table}/`
}

const objectPrefix = 'objects/'

/** The name of the entry of an object. */
export function objectName(key: string): string {
  return `${objectPrefix}${key}`
}

/** The key of the object in an entry; undefined for every other entry. */
export function objectKey(name: string): string | undefined {
  return name.startsWith(objectPrefix) ? name.slice(objectPrefix.length) : undefined
}

const tableName = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })

const manifestSchema = Type.Object({
  format: Type.Integer(),
  program: Type.String(),
  created_at: Type.String(),
  postgresql: Type.String(),
  migrations: Type.Array(
    Type.Object({
      owner: Type.String(),
      number: Type.Integer(),
      name: Type.String(),
      checksum: Type.String(),
    }),
  ),
  tables: Type.Array(Type.Object({ name: tableName, columns: Type.Array(Type.String()) })),
})

/** The first entry: what is needed before the rows. */
export type Manifest = Static<typeof manifestSchema>

const indexSchema = Type.Object({
  tables: Type.Array(Type.Object({ name: tableName, rows: Type.Integer(), digest: Type.String() })),
  sequences: Type.Array(
    Type.Object({ name: tableName, value: Type.String({ pattern: '^-?\\d+$' }), called: Type.Boolean() }),
  ),
  /** Values that were encrypted with a secret of the installation. */
  encrypted: Type.Array(
    Type.Object({ key_id: Type.String(), source: Type.String(), values: Type.Integer() }),
  ),
  /** Values that look encrypted with a secret that the installation did not have when the backup was made. */
  encrypted_unknown: Type.Integer(),
  parts: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Integer(), sha256: Type.String() })),
})

/** The last entry: what is known after the rows, and the checksums of all entries before it. */
export type BackupIndex = Static<typeof indexSchema>

const lockedKeySchema = Type.Object({
  kdf: Type.Literal('scrypt'),
  cost: Type.Integer({ minimum: 2, maximum: 2 ** 20 }),
  salt: Type.String(),
  nonce: Type.String(),
  ciphertext: Type.String(),
  tag: Type.String(),
})

/** The secrets of the installation, encrypted with a passphrase. */
export type LockedKey = Static<typeof lockedKeySchema>

const formatSchema = Type.Object({ format: Type.Integer() })

const schemas = {
  format: formatSchema,
  manifest: manifestSchema,
  index: indexSchema,
  key: lockedKeySchema,
} as const

interface Documents {
  readonly format: Static<typeof formatSchema>
  readonly manifest: Manifest
  readonly index: BackupIndex
  readonly key: LockedKey
}

/** Parses an entry of JSON. Undefined when it is none, or has another shape. */
export function parseDocument<Kind extends keyof Documents>(
  kind: Kind,
  content: Buffer,
): Documents[Kind] | undefined {
  let value: unknown
  try {
    value = JSON.parse(content.toString('utf8'))
  } catch {
    return undefined
  }
  // Compiled when it is used: a platform that starts loads this module for its event types.
  return Compile(schemas[kind]).Check(value) ? (value as Documents[Kind]) : undefined
}
