import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** A hash of files and folders of the project without their tests: what is made from them is up to date while it stays the same. */
export async function stampOfSources(paths: readonly string[]): Promise<string> {
  const files = (await Promise.all(paths.map(filesIn))).flat().toSorted()
  const hash = createHash('sha256')
  for (const file of files.filter((path) => existsSync(join(root, path)))) {
    const content = await readFile(join(root, file))
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

async function filesIn(path: string): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(join(root, path), options).catch(() => undefined)
  if (entries === undefined) return [path]
  return entries
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
}
