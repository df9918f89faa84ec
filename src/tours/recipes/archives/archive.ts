/** An unpacked entry of an archive; its name and content are not validated. */
export interface ArchiveEntry {
  readonly name: string
  readonly kind: 'file' | 'folder'
  readonly content: Uint8Array
}

/** The reason why an archive is refused, as a sentence for its sender. */
export class ArchiveMistake extends Error {
  override readonly name = 'ArchiveMistake'
}

/** Quotes a name from an archive for a message: on one line and shortened. */
export function quoteName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?')
  return `"${plain.length > 80 ? `${plain.slice(0, 77)}…` : plain}"`
}

/** The limits of an archive. The largest possible tour needs a quarter of them. */
export const archiveBounds = {
  /** The compressed file. */
  packedBytes: 4 * 1024 * 1024,
  /** All unpacked files together. */
  unpackedBytes: 12 * 1024 * 1024,
  fileBytes: 6 * 1024 * 1024,
  /** The configuration of a whole site has several hundred files. */
  entries: 2000,
  nameLength: 255,
  depth: 8,
} as const

/** Decodes UTF-8 without its byte order mark. Throws an ArchiveMistake, with `subject` in its message, for other bytes. */
export function textOf(bytes: Uint8Array, subject: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new ArchiveMistake(`${subject} is not UTF-8 text.`, { cause: error })
  }
}
