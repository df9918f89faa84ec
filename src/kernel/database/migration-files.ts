import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { UserError } from '#kernel/errors'

/** The numbered SQL files of one module. */
export interface MigrationSet {
  /** The module that owns the tables, such as `identity`. Must not change once released. */
  readonly owner: string
  readonly folder: URL
}

export interface MigrationFile {
  readonly owner: string
  readonly number: number
  /** The file name without its extension: `0001-users`. */
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

const fileName = /^(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.sql$/

/** Reads the files of all sets, in the given order. The numbers of a set must be 1, 2, 3 … without gaps. */
export async function readMigrationFiles(sets: readonly MigrationSet[]): Promise<MigrationFile[]> {
  const owners = new Set<string>()
  for (const { owner } of sets) {
    if (owners.has(owner))
      throw new UserError(`Two migration sets have the owner "${owner}". Give each set its own owner.`)
    owners.add(owner)
  }
  return (await Promise.all(sets.map(readSet))).flat()
}

async function readSet({ owner, folder }: MigrationSet): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  for (const [index, name] of names.entries()) {
    const number = Number(fileName.exec(name)?.[1])
    if (Number.isNaN(number)) {
      throw new UserError(
        `Migration ${owner}/${name}: the file name is invalid. Use a name like 0001-add-users.sql.`,
      )
    }
    if (number <= index) {
      throw new UserError(
        `Migration ${owner}/${name}: the number ${number} is used twice. Renumber the newer file.`,
      )
    }
    if (number > index + 1) {
      throw new UserError(
        `Migration ${owner}/${name}: migration ${index + 1} is missing. Number the files without gaps.`,
      )
    }
  }
  return Promise.all(names.map((name, index) => readOne(owner, index + 1, name, new URL(name, folder))))
}

async function readOne(owner: string, number: number, name: string, file: URL): Promise<MigrationFile> {
  // Windows line endings must not change the checksum.
  const sql = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { owner, number, name: name.slice(0, -'.sql'.length), sql, checksum }
}
