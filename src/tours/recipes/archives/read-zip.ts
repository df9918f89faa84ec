import { crc32, inflateRawSync } from 'node:zlib'
import type { ArchiveEntry } from './archive-entry.ts'
import { ArchiveMistake, shown } from './archive-mistake.ts'
import { archiveBounds } from './bounds.ts'
import { textOf } from './text-of.ts'

const endSignature = 0x06_05_4b_50
const centralSignature = 0x02_01_4b_50
const localSignature = 0x04_03_4b_50
const endBytes = 22
const longestComment = 65_535

/**
 * Unpacks a zip. Written here because what an archive says about itself is not believed: each file is inflated into as much
 * room as it may have and no more, its checksum is compared, and links are refused.
 */
export function readZip(bytes: Uint8Array): ArchiveEntry[] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(data)
  const count = data.readUInt16LE(end + 10)
  if (count > archiveBounds.entries) {
    throw new ArchiveMistake(`The archive has more than ${archiveBounds.entries} entries.`)
  }
  const entries: ArchiveEntry[] = []
  let left: number = archiveBounds.unpackedBytes
  let at = data.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    const listed = readListed(data, at)
    const content = unpack(data, listed, Math.min(left, archiveBounds.fileBytes))
    left -= content.length
    entries.push({ name: listed.name, kind: listed.name.endsWith('/') ? 'folder' : 'file', content })
    at = listed.next
  }
  return entries
}

interface Listed {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly unpacked: number
  readonly local: number
  readonly next: number
}

function findEnd(data: Buffer): number {
  const first = Math.max(0, data.length - endBytes - longestComment)
  for (let at = data.length - endBytes; at >= first; at -= 1) {
    if (data.readUInt32LE(at) === endSignature) return at
  }
  throw new ArchiveMistake('The archive is no zip file, or its end is missing.')
}

function readListed(data: Buffer, at: number): Listed {
  if (at + 46 > data.length || data.readUInt32LE(at) !== centralSignature) throw damaged()
  const nameLength = data.readUInt16LE(at + 28)
  const next = at + 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32)
  if (next > data.length) throw damaged()
  const name = textOf(data.subarray(at + 46, at + 46 + nameLength), 'A name in the archive')
  const flags = data.readUInt16LE(at + 8)
  if ((flags & 1) === 1) throw new ArchiveMistake(`${shown(name)} is encrypted.`)
  // Those who pack on Unix tell the kind of a file in the upper half.
  const kind = (data.readUInt32LE(at + 38) >>> 16) & 0o170000
  if (kind === 0o120000)
    throw new ArchiveMistake(`${shown(name)} is a link; a recipe has files and folders only.`)
  if (![0, 0o100000, 0o040000].includes(kind))
    throw new ArchiveMistake(`${shown(name)} is neither a file nor a folder.`)
  return {
    name,
    method: data.readUInt16LE(at + 10),
    crc: data.readUInt32LE(at + 16),
    packed: data.readUInt32LE(at + 20),
    unpacked: data.readUInt32LE(at + 24),
    local: data.readUInt32LE(at + 42),
    next,
  }
}

function unpack(data: Buffer, listed: Listed, room: number): Uint8Array {
  const { name, method, crc, packed, unpacked, local } = listed
  if (unpacked > room) throw tooLarge(name)
  if (local + 30 > data.length || data.readUInt32LE(local) !== localSignature) throw damaged()
  const begin = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28)
  const body = data.subarray(begin, begin + packed)
  if (body.length < packed) throw damaged()
  const content = method === 0 ? body : method === 8 ? inflate(body, name, room) : undefined
  if (content === undefined)
    throw new ArchiveMistake(`${shown(name)} is packed in a way that is not supported.`)
  if (content.length !== unpacked || crc32(content) !== crc) {
    throw new ArchiveMistake(`${shown(name)} is damaged: it is not what the archive says it is.`)
  }
  return content
}

function inflate(body: Uint8Array, name: string, room: number): Uint8Array {
  // Node takes no bound of 0.
  try {
    return inflateRawSync(body, { maxOutputLength: Math.max(1, room) })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (isTooLarge) throw tooLarge(name)
    throw new ArchiveMistake(`${shown(name)} is damaged and cannot be unpacked.`, { cause: error })
  }
}

const damaged = () => new ArchiveMistake('The zip file is damaged: its list of files cannot be read.')
const tooLarge = (name: string) =>
  new ArchiveMistake(`The archive unpacks to more than it may, at ${shown(name)}.`)
