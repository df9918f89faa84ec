import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { writeTarGz, writeZip } from '../pack-recipe.ts'
import { archiveBounds } from './archive.ts'
import { readArchive } from './read-archive.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const recipe = { path: 'recipe.yml', content: bytes('name: a') }

/** A zip file with bytes changed after packing. */
function bentZip(files: Record<string, Uint8Array>, bend: (zip: Buffer) => void): Uint8Array {
  const zip = Buffer.from(zipSync(files))
  bend(zip)
  return zip
}

function replaceAll(zip: Buffer, from: string, to: string): void {
  for (let at = zip.indexOf(from); at !== -1; at = zip.indexOf(from, at + 1)) zip.write(to, at)
}

/** The offset of the central directory. */
const listOf = (zip: Buffer) => zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))

/** A tar.gz in which one entry is of another type, such as a link. */
function tarOf(path: string, type: string): Uint8Array {
  return bentTar(writeTarGz('a', [{ path, content: bytes('') }, recipe]), (head) =>
    head.write(type, 156, 'ascii'),
  )
}

function bentTar(archive: Uint8Array, bend: (head: Buffer) => void): Uint8Array {
  const tar = Buffer.from(inflated(archive))
  bend(tar)
  tar.write('        ', 148, 'ascii')
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  tar.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'ascii')
  return gzipSync(tar)
}

function inflated(archive: Uint8Array): Uint8Array {
  const read = readArchive(archive)
  if (read.kind === 'json') throw new Error('no archive')
  const blocks = read.files.flatMap(({ path, content }) => [
    ...headOf(`${read.folder}/${path}`, content.length),
    content,
  ])
  return Buffer.concat(blocks)
}

/** A header as tar writes it, without a sum. */
function headOf(name: string, size: number): Buffer[] {
  const head = Buffer.alloc(512)
  head.write(name, 0, 'ascii')
  head.write(`${size.toString(8).padStart(11, '0')}\u0000`, 124, 'ascii')
  head.write('0', 156, 'ascii')
  return [head]
}

const zeros = (size: number) => new Uint8Array(size)

describe('harmful archives are refused with a reason', () => {
  test.each<[string, () => Uint8Array, RegExp]>([
    [
      'a path that climbs',
      () => zipSync({ '../recipe.yml': bytes('a') }),
      /leads out of the recipe's folder/,
    ],
    ['a path that climbs later', () => zipSync({ 'a/../../b': bytes('a') }), /leads out/],
    ['an absolute path', () => zipSync({ '/etc/passwd': bytes('a') }), /leads out/],
    ['a path with a drive', () => zipSync({ 'C:/a': bytes('a') }), /characters that are not allowed/],
    ['a path with backslashes', () => zipSync({ '..\\a': bytes('a') }), /characters that are not allowed/],
    [
      'a name with a control character',
      () => zipSync({ 'a\u0007': bytes('a') }),
      /characters that are not allowed/,
    ],
    [
      'a name that is written backwards',
      () => zipSync({ 'a\u202elmy': bytes('a') }),
      /characters that are not allowed/,
    ],
    ['a double slash', () => zipSync({ 'a//b': bytes('a') }), /leads out/],
    ['a name without end', () => zipSync({ ['a'.repeat(300)]: bytes('a') }), /too long or nested too deeply/],
    [
      'folders without end',
      () => zipSync({ [`${'a/'.repeat(20)}b`]: bytes('a') }),
      /too long or nested too deeply/,
    ],
    [
      'a link',
      () => zipSync({ 'a/link': [bytes('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }] }),
      /"a\/link" is a link/,
    ],
    [
      'a device',
      () => zipSync({ 'a/tty': [bytes(''), { os: 3, attrs: 0o020666 << 16 }] }),
      /neither a file nor a folder/,
    ],
    [
      'the same name twice',
      () => bentZip({ 'a/x': bytes('1'), 'a/y': bytes('2') }, (zip) => replaceAll(zip, 'a/y', 'a/x')),
      /twice/,
    ],
    ['names that differ in case alone', () => zipSync({ 'a/x': bytes('1'), 'a/X': bytes('2') }), /twice/],
    [
      'very many files',
      () =>
        zipSync(
          Object.fromEntries(
            Array.from({ length: archiveBounds.entries + 1 }, (_, index) => [`a/${index}`, bytes('')]),
          ),
        ),
      /more than 2000 entries/,
    ],
    ['a bomb', () => zipSync({ 'a/big': zeros(archiveBounds.fileBytes + 1) }), /exceeds the size limit/],
    [
      'a bomb that says it is small',
      () =>
        bentZip({ 'a/big': zeros(archiveBounds.fileBytes + 1) }, (zip) =>
          zip.writeUInt32LE(10, listOf(zip) + 24),
        ),
      /exceeds the size limit/,
    ],
    [
      'many that are large together',
      () =>
        zipSync(
          // Two as large as one may be, and one more byte.
          Object.fromEntries(
            [archiveBounds.fileBytes, archiveBounds.fileBytes, 1].map((size, index) => [
              `a/${index}`,
              zeros(size),
            ]),
          ),
        ),
      /exceeds the size limit/,
    ],
    [
      'a size that is a lie',
      () => bentZip({ 'a/x': bytes('hello') }, (zip) => zip.writeUInt32LE(4, listOf(zip) + 24)),
      /size or checksum is wrong/,
    ],
    [
      'a checksum that is a lie',
      () => bentZip({ 'a/x': bytes('hello') }, (zip) => zip.writeUInt32LE(1, listOf(zip) + 16)),
      /size or checksum is wrong/,
    ],
    [
      'an encrypted file',
      () => bentZip({ 'a/x': bytes('hello') }, (zip) => zip.writeUInt16LE(1, listOf(zip) + 8)),
      /encrypted/,
    ],
    [
      'an unknown method',
      () => bentZip({ 'a/x': bytes('hello') }, (zip) => zip.writeUInt16LE(99, listOf(zip) + 10)),
      /not supported/,
    ],
    [
      'a list that leads nowhere',
      () => bentZip({ 'a/x': bytes('hello') }, (zip) => zip.writeUInt32LE(0xffff_fff0, listOf(zip) + 42)),
      /damaged/,
    ],
    [
      'a name that is no text',
      () => bentZip({ 'a/xyz': bytes('') }, (zip) => zip.fill(0xff, listOf(zip) + 48, listOf(zip) + 51)),
      /not UTF-8/,
    ],
    ['a zip without its end', () => zipSync({ 'a/x': bytes('hello') }).slice(0, -10), /its end is missing/],
    ['four bytes of a zip', () => bytes('PK\u0003\u0004'), /its end is missing/],
    ['an empty archive', () => zipSync({}), /no files/],
    ['a link in a tar', () => tarOf('x', '2'), /is a link/],
    ['a hard link in a tar', () => tarOf('x', '1'), /is a link/],
    ['a device in a tar', () => tarOf('x', '3'), /neither a file nor a folder/],
    [
      'a tar that climbs',
      () => bentTar(writeTarGz('a', [recipe]), (tar) => tar.write('../b\u0000', 0, 'ascii')),
      /leads out/,
    ],
    [
      'a tar that breaks off',
      () => bentTar(writeTarGz('a', [recipe]), (tar) => tar.write('00000100000', 124, 'ascii')),
      /ends in the middle/,
    ],
    ['a tar bomb', () => gzipSync(zeros(archiveBounds.unpackedBytes + 1024 * 1024)), /more than 12 MB/],
    ['a gzip that is damaged', () => new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3]), /not a gzip file/],
    ['a gzip of something else', () => gzipSync(bytes('x'.repeat(600))), /damaged/],
    ['nothing', () => bytes(''), /empty/],
    ['more than can be sent', () => zeros(archiveBounds.packedBytes + 1), /larger than 4 MB/],
    [
      'something else',
      () => bytes('hello'),
      /not a zip archive, a tar.gz archive, JSON or the YAML of a tour/,
    ],
    ['bytes', () => new Uint8Array([0xff, 0xfe, 0x00]), /not UTF-8/],
    [
      'a recipe of a later version',
      () => bytes('{"format":"tutti.recipe","version":2,"files":[]}'),
      /newer format version/,
    ],
    ['a recipe without files', () => bytes('{"format":"tutti.recipe","version":1,"files":[]}'), /no files/],
    [
      'a recipe with strange files',
      () => bytes('{"format":"tutti.recipe","version":1,"files":[{"path":1}]}'),
      /files\[0\] must have/,
    ],
    [
      'a recipe as JSON that climbs',
      () => bytes('{"format":"tutti.recipe","version":1,"files":[{"path":"../x","content":""}]}'),
      /leads out/,
    ],
  ])('%s', (_what, make, expected) => {
    const archive = make()
    expect(() => readArchive(archive)).toThrow(
      expect.objectContaining({ name: 'ArchiveMistake', message: expect.stringMatching(expected) }),
    )
  })
})

function open(archive: Uint8Array) {
  const read = readArchive(archive)
  if (read.kind === 'json') throw new Error('no archive')
  return {
    folder: read.folder,
    files: read.files.map(({ path, content }) => [path, Buffer.from(content).toString()]),
  }
}

describe('an archive of another program', () => {
  const files = [['recipe.yml', 'name: a']]

  test('may have entries for folders and system metadata', () => {
    const zip = zipSync({
      'a/': new Uint8Array(),
      'a/recipe.yml': bytes('name: a'),
      '__MACOSX/a/._recipe.yml': bytes('x'),
      'a/.DS_Store': bytes('x'),
    })
    expect(open(zip)).toEqual({ folder: 'a', files })
  })

  test('may have no top folder, and names that begin with ./', () => {
    expect(open(zipSync({ './recipe.yml': bytes('name: a') }))).toEqual({ folder: undefined, files })
  })

  test('may be uncompressed', () => {
    expect(open(zipSync({ 'a/recipe.yml': bytes('name: a') }, { level: 0 }))).toEqual({ folder: 'a', files })
  })
})

test('the bytes do not depend on the time or the time zone', () => {
  const zip = Buffer.from(writeZip('a', [recipe]))
  // 2000-01-01 12:00:00 as a zip writes it.
  expect(zip.readUInt32LE(10)).toBe((20 << 25) | (1 << 21) | (1 << 16) | (12 << 11))
  const tarGz = Buffer.from(writeTarGz('a', [recipe]))
  expect(tarGz.readUInt32LE(4)).toBe(0)
})
