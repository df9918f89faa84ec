import { crc32, gunzipSync, inflateRawSync } from 'node:zlib'
import { readYaml, YamlMistake } from '../yaml/read-yaml.ts'
import { type ArchiveEntry, ArchiveMistake, archiveBounds, quoteName, textOf } from './archive.ts'
import { collectFiles, type Unpacked } from './collect-files.ts'
import { isRecipeJson, readRecipeJson } from './recipe-json.ts'

export const importFormats = ['zip', 'tar.gz', 'json', 'yml'] as const
export type ImportFormat = (typeof importFormats)[number]

/** The content of a file: a recipe with its files, or any other JSON. */
export type ArchiveContent =
  | ({ readonly kind: 'recipe'; readonly format: ImportFormat } & Unpacked)
  | { readonly kind: 'json'; readonly value: unknown }

/** Opens a zip, a tar.gz, a JSON document or the YAML of one tour, detected by its content. Throws an ArchiveMistake. */
export function readArchive(bytes: Uint8Array): ArchiveContent {
  if (bytes.length > archiveBounds.packedBytes) throw new ArchiveMistake('The file is larger than 4 MB.')
  if (bytes.length === 0) throw new ArchiveMistake('The file is empty.')
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    return { kind: 'recipe', format: 'zip', ...collectFiles(readZip(bytes)) }
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    return { kind: 'recipe', format: 'tar.gz', ...collectFiles(readTarGz(bytes)) }
  }
  const text = textOf(bytes, 'The file is not a zip or tar.gz archive, and')
  const value = parseJson(text)
  if (value === undefined) return openYaml(text, bytes)
  if (!isRecipeJson(value)) return { kind: 'json', value }
  return { kind: 'recipe', format: 'json', ...collectFiles(readRecipeJson(value)) }
}

/** Undefined for text that is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A tour as Drupal exports it, alone. Its file name is not known, so that its id is taken from the file. */
function openYaml(text: string, content: Uint8Array): ArchiveContent {
  const value = parseYaml(text)
  if (!(value instanceof Map && value.has('id') && value.has('tips'))) {
    throw new ArchiveMistake('The file is not a zip archive, a tar.gz archive, JSON or the YAML of a tour.')
  }
  const id = String(value.get('id'))
  const path = `tour.tour.${/^[a-z0-9_-]{1,166}$/.test(id) ? id : 'unnamed'}.yml`
  return { kind: 'recipe', format: 'yml', folder: undefined, files: [{ path, content }] }
}

function parseYaml(text: string): unknown {
  try {
    return readYaml(text).value
  } catch (error) {
    if (!(error instanceof YamlMistake)) throw error
    const line = error.line === null ? '' : ` (line ${error.line})`
    throw new ArchiveMistake(
      `The file is not a zip archive, a tar.gz archive or JSON, and as YAML it cannot be read: ${error.message}${line}`,
      { cause: error },
    )
  }
}

const blockBytes = 512
/** The headers and padding of a tar archive. */
const maxTarOverheadBytes = 512 * 1024

/** Unpacks a tar.gz archive. Refuses links, devices and other special entries: a recipe has none. */
function readTarGz(bytes: Uint8Array): ArchiveEntry[] {
  const tar = gunzip(bytes)
  const entries: ArchiveEntry[] = []
  let longName: string | undefined
  for (let at = 0; at + blockBytes <= tar.length; ) {
    const head = tar.subarray(at, at + blockBytes)
    if (head.every((byte) => byte === 0)) return entries
    if (!hasValidChecksum(head))
      throw new ArchiveMistake('The tar archive is damaged: the checksum of a header is wrong.')
    const size = readOctal(head, 124, 12)
    const content = tar.subarray(at + blockBytes, at + blockBytes + size)
    if (content.length < size) throw new ArchiveMistake('The tar archive ends in the middle of a file.')
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes
    const type = String.fromCharCode(head[156] ?? 0)
    // GNU tar (L) and pax (x) write long names as separate entries; other pax records are not needed.
    if (type === 'L') longName = readText(content)
    else if (type === 'x') longName = readPaxPath(content) ?? longName
    else if (type !== 'g') {
      const name = longName ?? nameOf(head)
      longName = undefined
      entries.push({ name, kind: kindOf(type, name), content })
    }
    if (entries.length > archiveBounds.entries) {
      throw new ArchiveMistake(`The archive has more than ${archiveBounds.entries} entries.`)
    }
  }
  return entries
}

function gunzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, {
      maxOutputLength: archiveBounds.unpackedBytes + maxTarOverheadBytes,
    })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (isTooLarge) throw new ArchiveMistake('The archive unpacks to more than 12 MB.', { cause: error })
    throw new ArchiveMistake('The archive is not a gzip file, or it is damaged.', { cause: error })
  }
}

function kindOf(type: string, name: string): ArchiveEntry['kind'] {
  if (type === '0' || type === '\u0000' || type === '7') return 'file'
  if (type === '5') return 'folder'
  const description = type === '1' || type === '2' ? 'a link' : 'neither a file nor a folder'
  throw new ArchiveMistake(
    `${quoteName(name)} is ${description}; a recipe may contain files and folders only.`,
  )
}

function nameOf(head: Uint8Array): string {
  const name = readText(head.subarray(0, 100))
  const isUstar = readText(head.subarray(257, 262)) === 'ustar'
  const prefix = isUstar ? readText(head.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Text fields end at the first NUL. */
function readText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return textOf(end === -1 ? bytes : bytes.subarray(0, end), 'A name in the archive')
}

function readPaxPath(content: Uint8Array): string | undefined {
  const record = /(?:^|\n)\d+ path=(.*)\n/.exec(textOf(content, 'A name in the archive'))
  return record?.[1]
}

function readOctal(head: Uint8Array, at: number, width: number): number {
  const digits = head.subarray(at, at + width).filter((byte) => byte !== 0 && byte !== 32)
  const text = String.fromCharCode(...digits)
  if (!/^[0-7]{1,11}$/.test(text))
    throw new ArchiveMistake('The tar archive is damaged: a size is not a number.')
  return Number.parseInt(text, 8)
}

/** The checksum is computed with its own field filled with spaces. */
function hasValidChecksum(head: Uint8Array): boolean {
  const sum = head.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
  return sum === readOctal(head, 148, 8)
}

const endSignature = 0x06_05_4b_50
const centralSignature = 0x02_01_4b_50
const localSignature = 0x04_03_4b_50
const endBytes = 22
const maxCommentLength = 65_535

/**
 * Unpacks a zip archive. Not a library, because the sizes in the archive are not trusted: each file is inflated up to a
 * limit, its checksum is compared, and links are refused.
 */
function readZip(bytes: Uint8Array): ArchiveEntry[] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(data)
  const count = data.readUInt16LE(end + 10)
  if (count > archiveBounds.entries) {
    throw new ArchiveMistake(`The archive has more than ${archiveBounds.entries} entries.`)
  }
  const entries: ArchiveEntry[] = []
  let remainingBytes: number = archiveBounds.unpackedBytes
  let at = data.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    const entry = readCentralEntry(data, at)
    const content = unpack(data, entry, Math.min(remainingBytes, archiveBounds.fileBytes))
    remainingBytes -= content.length
    entries.push({ name: entry.name, kind: entry.name.endsWith('/') ? 'folder' : 'file', content })
    at = entry.next
  }
  return entries
}

/** An entry of the central directory. */
interface CentralEntry {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly unpacked: number
  readonly local: number
  readonly next: number
}

function findEnd(data: Buffer): number {
  const first = Math.max(0, data.length - endBytes - maxCommentLength)
  for (let at = data.length - endBytes; at >= first; at -= 1) {
    if (data.readUInt32LE(at) === endSignature) return at
  }
  throw new ArchiveMistake('The archive is not a zip file, or its end is missing.')
}

function readCentralEntry(data: Buffer, at: number): CentralEntry {
  if (at + 46 > data.length || data.readUInt32LE(at) !== centralSignature) throw damaged()
  const nameLength = data.readUInt16LE(at + 28)
  const next = at + 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32)
  if (next > data.length) throw damaged()
  const name = textOf(data.subarray(at + 46, at + 46 + nameLength), 'A name in the archive')
  const flags = data.readUInt16LE(at + 8)
  if ((flags & 1) === 1) throw new ArchiveMistake(`${quoteName(name)} is encrypted.`)
  // Unix archivers store the file type in the upper 16 bits of the external attributes.
  const kind = (data.readUInt32LE(at + 38) >>> 16) & 0o170000
  if (kind === 0o120000)
    throw new ArchiveMistake(`${quoteName(name)} is a link; a recipe may contain files and folders only.`)
  if (![0, 0o100000, 0o040000].includes(kind))
    throw new ArchiveMistake(`${quoteName(name)} is neither a file nor a folder.`)
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

function unpack(data: Buffer, entry: CentralEntry, maxBytes: number): Uint8Array {
  const { name, method, crc, packed, unpacked, local } = entry
  if (unpacked > maxBytes) throw tooLarge(name)
  if (local + 30 > data.length || data.readUInt32LE(local) !== localSignature) throw damaged()
  const begin = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28)
  const body = data.subarray(begin, begin + packed)
  if (body.length < packed) throw damaged()
  const content = method === 0 ? body : method === 8 ? inflate(body, name, maxBytes) : undefined
  if (content === undefined)
    throw new ArchiveMistake(`${quoteName(name)} uses a compression method that is not supported.`)
  if (content.length !== unpacked || crc32(content) !== crc) {
    throw new ArchiveMistake(`${quoteName(name)} is damaged: its size or checksum is wrong.`)
  }
  return content
}

function inflate(body: Uint8Array, name: string, maxBytes: number): Uint8Array {
  try {
    // Node does not accept a limit of 0.
    return inflateRawSync(body, { maxOutputLength: Math.max(1, maxBytes) })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (isTooLarge) throw tooLarge(name)
    throw new ArchiveMistake(`${quoteName(name)} is damaged and cannot be unpacked.`, { cause: error })
  }
}

const damaged = () => new ArchiveMistake('The zip file is damaged: its list of files cannot be read.')
const tooLarge = (name: string) =>
  new ArchiveMistake(`The archive exceeds the size limit at ${quoteName(name)}.`)
