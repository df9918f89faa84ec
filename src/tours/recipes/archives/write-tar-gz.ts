import { gzipSync } from 'fflate'
import type { RecipeFile } from '../recipe-tour.ts'

const blockBytes = 512
/** 2000-01-01, noon. */
const madeAtSeconds = 946_728_000

/** The recipe in a folder of its name. The same files give the same bytes, wherever and whenever they are packed. */
export function writeTarGz(folder: string, files: readonly RecipeFile[]): Uint8Array {
  const blocks = files.flatMap(({ path, content }) => [
    header(`${folder}/${path}`, content.length),
    padded(content),
  ])
  // Two empty blocks are the end.
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9, mtime: 0 })
}

/** One file in the ustar format. Names are made of our ids, so that they fit and are plain ASCII. */
function header(path: string, size: number): Buffer {
  const block = Buffer.alloc(blockBytes)
  const split = path.length <= 100 ? 0 : path.indexOf('/') + 1
  block.write(path.slice(split), 0, 100, 'ascii')
  writeOctal(block, 100, 8, 0o644)
  writeOctal(block, 108, 8, 0)
  writeOctal(block, 116, 8, 0)
  writeOctal(block, 124, 12, size)
  writeOctal(block, 136, 12, madeAtSeconds)
  block.write('        0', 148, 'ascii')
  block.write('ustar\u000000', 257, 'ascii')
  block.write(path.slice(0, Math.max(0, split - 1)), 345, 155, 'ascii')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'ascii')
  return block
}

function writeOctal(block: Buffer, at: number, width: number, value: number): void {
  block.write(`${value.toString(8).padStart(width - 1, '0')}\u0000`, at, 'ascii')
}

function padded(content: Uint8Array): Buffer {
  const whole = Buffer.alloc(Math.ceil(content.length / blockBytes) * blockBytes)
  whole.set(content)
  return whole
}
