import { createReadStream, createWriteStream } from 'node:fs'
import { glob, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

export interface ArchiveFile {
  readonly name: string
  /** Its bytes, or the path of a file that has them. */
  readonly content: Uint8Array | { readonly path: string }
}

const blockBytes = 512

/**
 * Writes a tar archive, compressed when its name ends in `gz`. The same files give the same bytes: they are sorted by name, belong to root,
 * can be read by everyone, and have one time. Throws for a name that the format of POSIX cannot hold.
 */
export async function writeTar(
  target: string,
  files: readonly ArchiveFile[],
  { epoch }: { readonly epoch: number },
): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const blocks = Readable.from(writeBlocks(files.toSorted(byName), epoch))
  const output = createWriteStream(target)
  if (target.endsWith('gz')) await pipeline(blocks, createGzip({ level: 9 }), output)
  else await pipeline(blocks, output)
}

/** The files below a folder, under names that start with a prefix. */
export async function filesBelow(folder: string, prefix = ''): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = []
  for await (const entry of glob('**/*', { cwd: folder, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files.push({ name: `${prefix}${path.slice(join(folder, '/').length)}`, content: { path } })
  }
  return files.sort(byName)
}

/** By code units, so that the language of the machine does not matter. */
function byName(one: ArchiveFile, other: ArchiveFile): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0
}

async function* writeBlocks(files: readonly ArchiveFile[], epoch: number): AsyncGenerator<Uint8Array> {
  for (const { name, content } of files) {
    const size = content instanceof Uint8Array ? content.length : (await stat(content.path)).size
    yield header(name, size, epoch)
    if (content instanceof Uint8Array) yield content
    else yield* createReadStream(content.path) as AsyncIterable<Uint8Array>
    yield Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)
  }
  yield Buffer.alloc(2 * blockBytes)
}

/** The header of a file in the ustar format. */
function header(path: string, size: number, epoch: number): Buffer {
  const [prefix, name] = splitPath(path)
  const block = Buffer.alloc(blockBytes)
  const octal = (value: number, at: number, bytes: number) =>
    block.write(`${value.toString(8).padStart(bytes - 1, '0')}\0`, at, 'latin1')
  block.write(name, 0)
  octal(0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(epoch, 136, 12)
  block.write('        0', 148, 'latin1')
  block.write('ustar\u000000', 257, 'latin1')
  block.write('root', 265, 'latin1')
  block.write('root', 297, 'latin1')
  octal(0, 329, 8)
  octal(0, 337, 8)
  block.write(prefix, 345)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

/** A path is a name of up to 100 bytes, after a prefix of up to 155 that ends before a slash. */
function splitPath(path: string): readonly [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= 100) return ['', path]
  const slash = path.indexOf('/', path.length - 101)
  const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)]
  if (slash <= 0 || Buffer.byteLength(prefix) > 155 || Buffer.byteLength(name) > 100)
    throw new Error(`${path} is too long for a tar archive`)
  return [prefix, name]
}
