import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { releaseChangelog } from './changelog.ts'
import { ReleaseError } from './release-error.ts'
import { pythonVersion, writeVersion } from './version-files.ts'

export interface ReleasePlan {
  readonly version: string
  readonly tag: string
  /** The entries of the changelog. */
  readonly notes: string
  /** Files that the release changes: their new texts, by path. */
  readonly changes: ReadonlyMap<string, string>
  /** The commit of the sources. */
  readonly revision: string
  /** Its time in seconds: the time of every file in the archives. */
  readonly epoch: number
}

/**
 * Reads what a release needs. Throws a ReleaseError for a tree with uncommitted changes, a version that was released or is no
 * version, and a changelog without an entry. A dry run at the tag of a release is allowed: it makes that release again.
 */
export async function planRelease(
  root: string,
  { version: requested, dryRun }: { readonly version?: string | undefined; readonly dryRun: boolean },
): Promise<ReleasePlan> {
  const version = requested ?? (await readVersion(root))
  pythonVersion(version)
  const changed = await runGit(root, 'status', '--porcelain')
  if (changed !== '')
    throw new ReleaseError(`There are uncommitted changes; commit or stash them first:\n${changed}`)
  const tag = `v${version}`
  const { revision, epoch } = await readHead(root)
  const released = await runGit(root, 'rev-parse', '--verify', '--quiet', `${tag}^{commit}`).catch(() => '')
  if (released !== '' && !(dryRun && released === revision))
    throw new ReleaseError(
      `${version} was released: the tag ${tag} exists. Name the next version: npm run release -- --version X.Y.Z`,
    )
  const date = new Date(dryRun ? epoch * 1000 : Date.now()).toISOString().slice(0, 10)
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  const { text, notes } = releaseChangelog(changelog, { version, date })
  const changes = await writeVersion(root, version)
  if (text !== changelog) changes.set('CHANGELOG.md', text)
  return { version, tag, notes, changes, revision, epoch }
}

/** The commit at which the tree is, and its time in seconds. */
export async function readHead(root: string): Promise<{ readonly revision: string; readonly epoch: number }> {
  const [revision = '', time] = (await runGit(root, 'log', '-1', '--format=%H %ct')).split(' ')
  return { revision, epoch: Number(time) }
}

/** Runs git in a folder and returns its output. */
export async function runGit(root: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: root })
  return stdout.trimEnd()
}

async function readVersion(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return version
}
