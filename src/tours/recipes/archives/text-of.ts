import { ArchiveMistake } from './archive-mistake.ts'

/** Bytes as text; what is no UTF-8 is said, not replaced. A byte order mark is not part of the text. */
export function textOf(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new ArchiveMistake(`${what} is not UTF-8 text.`, { cause: error })
  }
}
