import { ArchiveMistake } from './archive-mistake.ts'

/** Decodes UTF-8 without its byte order mark. Throws an ArchiveMistake, with `subject` in its message, for other bytes. */
export function textOf(bytes: Uint8Array, subject: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new ArchiveMistake(`${subject} is not UTF-8 text.`, { cause: error })
  }
}
