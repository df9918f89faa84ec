import { gunzipSync } from 'node:zlib'
import type { ArchiveEntry } from './archive-entry.ts'
import { ArchiveMistake, shown } from './archive-mistake.ts'
import { archiveBounds } from './bounds.ts'
import { textOf } from './text-of.ts'

const blockBytes = 512

/** Unpacks a tar.gz. Links, devices and other special entries are refused: a recipe has none. */
export function readTarGz(bytes: Uint8Array): ArchiveEntry[] {
  const tar = gunzip(bytes)
  const entries: ArchiveEntry[] = []
  let longName: string | undefined
  for (let at = 0; at + blockBytes <= tar.length; ) {
    const head = tar.subarray(at, at + blockBytes)
    if (head.every((byte) => byte === 0)) return entries
    if (!holdsItsSum(head)) throw new ArchiveMistake('The tar archive is damaged: a header does not add up.')
    const size = readOctal(head, 124, 12)
    const content = tar.subarray(at + blockBytes, at + blockBytes + size)
    if (content.length < size) throw new ArchiveMistake('The tar archive ends in the middle of a file.')
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes
    const type = String.fromCharCode(head[156] ?? 0)
    // Who packs with longer names writes them as entries of their own; what those say beyond names is of no use here.
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
      maxOutputLength: archiveBounds.unpackedBytes + archiveBounds.entries * 4 * blockBytes,
    })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (isTooLarge) throw new ArchiveMistake('The archive unpacks to more than 12 MB.', { cause: error })
    throw new ArchiveMistake('The archive is no gzip file, or it is damaged.', { cause: error })
  }
}

function kindOf(type: string, name: string): ArchiveEntry['kind'] {
  if (type === '0' || type === '\u0000' || type === '7') return 'file'
  if (type === '5') return 'folder'
  const what = type === '1' || type === '2' ? 'a link' : 'neither a file nor a folder'
  throw new ArchiveMistake(`${shown(name)} is ${what}; a recipe has files and folders only.`)
}

function nameOf(head: Uint8Array): string {
  const name = readText(head.subarray(0, 100))
  const isUstar = readText(head.subarray(257, 262)) === 'ustar'
  const prefix = isUstar ? readText(head.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Texts end at the first NUL. */
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
    throw new ArchiveMistake('The tar archive is damaged: a size is no number.')
  return Number.parseInt(text, 8)
}

/** The sum is taken with its own field full of spaces. */
function holdsItsSum(head: Uint8Array): boolean {
  const sum = head.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
  return sum === readOctal(head, 148, 8)
}
