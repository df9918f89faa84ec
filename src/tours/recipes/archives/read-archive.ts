import { ArchiveMistake } from './archive-mistake.ts'
import { archiveBounds } from './bounds.ts'
import { collectFiles, type Unpacked } from './collect-files.ts'
import { readTarGz } from './read-tar-gz.ts'
import { readZip } from './read-zip.ts'
import { isRecipeJson, readRecipeJson } from './recipe-json.ts'
import { textOf } from './text-of.ts'

/** What a file turns out to be: a recipe with its files, or some other JSON. */
export type ArchiveContent =
  | ({ readonly kind: 'recipe'; readonly format: 'zip' | 'tar.gz' | 'json' } & Unpacked)
  | { readonly kind: 'json'; readonly value: unknown }

/** Opens a zip, a tar.gz or a JSON document, told apart by how they begin. */
export function readArchive(bytes: Uint8Array): ArchiveContent {
  if (bytes.length > archiveBounds.packedBytes) throw new ArchiveMistake('The file is larger than 4 MB.')
  if (bytes.length === 0) throw new ArchiveMistake('The file is empty.')
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    return { kind: 'recipe', format: 'zip', ...collectFiles(readZip(bytes)) }
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    return { kind: 'recipe', format: 'tar.gz', ...collectFiles(readTarGz(bytes)) }
  }
  const value = parseJson(bytes)
  if (!isRecipeJson(value)) return { kind: 'json', value }
  return { kind: 'recipe', format: 'json', ...collectFiles(readRecipeJson(value)) }
}

function parseJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes, 'The file is no zip, no tar.gz and')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ArchiveMistake('The file is no zip, no tar.gz and no JSON.', { cause: error })
  }
}
