import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { UserError } from '#kernel/errors'

/**
 * The container of a backup: a tar archive (ustar), so that it can be listed and unpacked with standard tools. All entries are
 * small regular files, read and written as a whole.
 */
export interface ArchiveEntry {
  readonly name: string
  readonly content: Buffer
}

const blockBytes = 512

/** The largest entry that is read. Parts have 4 MiB at most; the index of a terabyte has about 40 MiB. */
const maxEntryBytes = 256 * 1024 * 1024

/** One entry as it is stored: header, content, padding to whole blocks. */
export function encodeEntry({ name, content }: ArchiveEntry): Buffer {
  return Buffer.concat([encodeHeader(name, content.length), content, padding(content.length)])
}

/** Two empty blocks end an archive. */
export const endOfArchive: Buffer = Buffer.alloc(2 * blockBytes)

function encodeHeader(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 99) throw new Error(`the name ${name} is too long for the archive`)
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)
}

/** The sum of the bytes of a header, whose own field counts as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte
  return sum
}

/** Reads the entries one after the other. Throws a `UserError` when the file is no archive, damaged or cut off. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry, void> {
  await using file = await openForReading(path)
  let position = 0
  for (;;) {
    const header = await readExactly(file, position, blockBytes, path)
    if (header.every((byte) => byte === 0)) return
    const { name, size } = decodeHeader(header, path)
    position += blockBytes
    const content = await readExactly(file, position, size, path)
    yield { name, content }
    position += size + padding(size).length
  }
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UserError(`The backup ${path} cannot be read: ${reason}`, { cause })
  }
}

async function readExactly(
  file: FileHandle,
  position: number,
  length: number,
  path: string,
): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) throw damaged(path, 'it ends too early')
    filled += bytesRead
  }
  return buffer
}

function decodeHeader(header: Buffer, path: string): { readonly name: string; readonly size: number } {
  const text = (from: number, length: number) =>
    header.toString('latin1', from, from + length).replace(/\0.*$/s, '')
  const size = Number.parseInt(text(124, 12), 8)
  const isValid =
    header.toString('latin1', 257, 262) === 'ustar' &&
    Number.parseInt(text(148, 8), 8) === checksumOf(header) &&
    size >= 0 &&
    size <= maxEntryBytes
  if (!isValid) throw damaged(path, 'it is no backup, or one of its headers is damaged')
  return { name: text(0, 100), size }
}

/** The error for a file that cannot be used, with the reason. */
export function damaged(path: string, reason: string, cause?: unknown): UserError {
  return new UserError(`The backup ${path} cannot be used: ${reason}. Use another backup.`, { cause })
}

/** The checksum of a part. */
export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
