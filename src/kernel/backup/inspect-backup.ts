import { UserError } from '#kernel/errors'
import { damaged, readArchive, sha256 } from './archive.ts'
import {
  type BackupIndex,
  formatVersion,
  indexName,
  keyName,
  type LockedKey,
  type Manifest,
  manifestName,
  objectKey,
  parseDocument,
} from './manifest.ts'

/** A backup whose parts were all compared with their checksums. */
export interface InspectedBackup {
  readonly path: string
  readonly manifest: Manifest
  readonly index: BackupIndex
  /** The number of objects it contains. */
  readonly objects: number
  /** Undefined when the backup was made without `--with-key`. */
  readonly key: LockedKey | undefined
}

/**
 * Reads the whole file and compares every part with its checksum. Throws a `UserError` when the file is damaged, incomplete, no backup,
 * or of a newer format.
 */
export async function inspectBackup(path: string): Promise<InspectedBackup> {
  const found: BackupIndex['parts'] = []
  let manifest: Manifest | undefined
  let key: LockedKey | undefined
  let index: BackupIndex | undefined
  for await (const { name, content } of readArchive(path)) {
    if (name === indexName) {
      index = parseDocument('index', content)
      if (index === undefined) throw damaged(path, `${indexName} is damaged`)
      continue
    }
    if (found.length === 0) manifest = readManifest(path, name, content)
    if (name === keyName) key = parseDocument('key', content)
    found.push({ name, bytes: content.length, sha256: sha256(content) })
  }
  if (manifest === undefined) throw damaged(path, 'it is empty')
  if (index === undefined) throw damaged(path, `it is incomplete: ${indexName} is missing`)
  compareParts(path, index.parts, found)
  const objects = index.parts.filter(({ name }) => objectKey(name) !== undefined).length
  return { path, manifest, index, objects, key }
}

function readManifest(path: string, name: string, content: Buffer): Manifest {
  const head = name === manifestName ? parseDocument('format', content) : undefined
  if (head === undefined) throw damaged(path, 'it is not a backup of Tutti')
  if (head.format > formatVersion) {
    throw new UserError(
      `The backup ${path} is newer than this version of Tutti: it has format ${head.format}, and this version reads up to ` +
        `${formatVersion}. Restore it with the version that wrote it, or a later one.`,
    )
  }
  const manifest = parseDocument('manifest', content)
  if (manifest === undefined) throw damaged(path, `${manifestName} is damaged`)
  return manifest
}

function compareParts(path: string, expected: BackupIndex['parts'], found: BackupIndex['parts']): void {
  for (const [number, part] of expected.entries()) {
    const other = found[number]
    if (other?.name !== part.name) throw damaged(path, `${part.name} is missing`)
    if (other.sha256 !== part.sha256) throw damaged(path, `the checksum of ${part.name} is wrong`)
  }
  const added = found[expected.length]
  if (added !== undefined) throw damaged(path, `${added.name} does not belong to it`)
}
