import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReleaseError } from './release-error.ts'

interface VersionFile {
  readonly path: string
  /** Each finds one place: the text before the version, the version, and the text after it. */
  readonly places: readonly RegExp[]
}

/** Every place that has the version of the platform. tutti-tdd has versions of its own. */
const versionFiles: readonly VersionFile[] = [
  { path: 'package.json', places: [/("version": ")([^"]+)(")/] },
  {
    path: 'package-lock.json',
    places: [
      /^(\{\n {2}"name": "tutti",\n {2}"version": ")([^"]+)(")/,
      /(\n {4}"": \{\n {6}"name": "tutti",\n {6}"version": ")([^"]+)(")/,
      /(\n {4}"sdk\/typescript": \{\n {6}"name": "@tutti\/client",\n {6}"version": ")([^"]+)(")/,
    ],
  },
  { path: 'sdk/typescript/package.json', places: [/("version": ")([^"]+)(")/] },
  { path: 'sdk/python/pyproject.toml', places: [/(\nversion = ")([^"]+)(")/] },
  { path: 'deploy/helm/tutti/Chart.yaml', places: [/(\nversion: )(\S+)(\n)/, /(\nappVersion: )(\S+)(\n)/] },
  { path: 'deploy/Containerfile', places: [/(\nARG VERSION=)(\S+)(\n)/] },
]

/** The texts, by path, of the files that a version changes. Throws a ReleaseError when a file has lost its place for it. */
export async function writeVersion(root: string, version: string): Promise<Map<string, string>> {
  const changes = new Map<string, string>()
  for (const { path, places } of versionFiles) {
    const present = await readFile(join(root, path), 'utf8')
    let text = present
    for (const place of places) {
      if (!place.test(text)) throw new ReleaseError(`${path} has no version at ${place.source}`)
      text = text.replace(place, `$1${path.endsWith('.toml') ? pythonVersion(version) : version}$3`)
    }
    if (text !== present) changes.set(path, text)
  }
  return changes
}

const preReleases: Readonly<Record<string, string>> = { alpha: 'a', beta: 'b', rc: 'rc' }

/** A version as Python writes it: 1.2.0-rc.1 is 1.2.0rc1. Throws a ReleaseError for a pre-release that Python has no word for. */
export function pythonVersion(version: string): string {
  const [, release = '', kind, number] = /^(\d+\.\d+\.\d+)(?:-([a-z]+)\.(\d+))?$/.exec(version) ?? []
  if (kind === undefined && release === version) return version
  const word = preReleases[kind ?? '']
  if (word === undefined)
    throw new ReleaseError(
      `${version} is not a version such as 1.2.0, 1.2.0-alpha.1, 1.2.0-beta.1 or 1.2.0-rc.1`,
    )
  return `${release}${word}${number}`
}
