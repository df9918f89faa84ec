import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Licences that allow distribution in a bundle with their notice. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])

/**
 * The notices of bundled packages, by name and version. Throws for a licence that is not allowed, and for a package that
 * neither names nor contains one.
 */
export async function describeLicences(packageFolders: readonly string[]): Promise<string> {
  const entries = await Promise.all(packageFolders.map(describePackage))
  const distinct = [...new Set(entries)].sort()
  return [
    'Third-party packages',
    '',
    'This package contains code of the following packages, each under the licence that is printed with it.',
    '',
    ...distinct,
  ].join('\n')
}

async function describePackage(folder: string): Promise<string> {
  const { name, version, license } = await readManifest(folder)
  if (license === undefined || !license.split(/ (?:OR|AND) |[()]/).some((part) => allowed.has(part)))
    throw new Error(`${name} ${version} has the licence ${license ?? '(none)'}, which is not allowed`)
  const files = (await readdir(folder)).filter((file) => /^(licen[sc]e|notice|copying)/i.test(file)).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return [`${name} ${version} (${license})`, ...texts.map((text) => indent(text.trim())), ''].join('\n')
}

const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '    ')

/** The folders of the dependencies of a package and of their dependencies, as Node.js finds them. */
export async function dependencyFolders(folder: string): Promise<string[]> {
  const found = new Set<string>()
  const visit = async (from: string): Promise<void> => {
    for (const name of Object.keys((await readManifest(from)).dependencies ?? {})) {
      const dependency = folderOf(name, from)
      if (dependency === undefined || found.has(dependency)) continue
      found.add(dependency)
      await visit(dependency)
    }
  }
  await visit(folder)
  return [...found].sort()
}

/** Undefined for a package that is not installed here, such as one of another platform. */
function folderOf(name: string, from: string): string | undefined {
  for (const folder of createRequire(join(from, 'package.json')).resolve.paths(name) ?? []) {
    try {
      return dirname(createRequire(join(folder, 'x')).resolve(join(folder, name, 'package.json')))
    } catch {
      // Not in this folder: Node.js looks in the next one.
    }
  }
  return undefined
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
}
