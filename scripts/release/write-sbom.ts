import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library'

interface LockEntry {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The packages of a lock file, by folder. */
export type Lock = Readonly<Record<string, LockEntry>>

export interface SbomContents {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly epoch: number
  readonly root: string
  readonly lock: Lock
  /** The packages whose code is in the package, as folders. */
  readonly bundled: readonly string[]
  /** The packages that npm installs with it. */
  readonly dependencies: readonly string[]
  readonly optionalDependencies: readonly string[]
}

/**
 * Writes the bill of materials of a package as CycloneDX 1.6: packages in the bundle and installed ones, with the version, the licence and the hash of the lock
 * file. The serial number is derived from the contents, so the same contents give the same bytes. Throws for a package that the lock
 * file does not have.
 */
export function writeSbom(contents: SbomContents): string {
  const { name, version, description, license, lock } = contents
  const bundled = contents.bundled.map((folder) => relative(contents.root, folder))
  const required = reachable(lock, contents.dependencies)
  const optional = reachable(lock, contents.optionalDependencies)
  const product = new Models.Component(Enums.ComponentType.Application, name, {
    version,
    description,
    bomRef: `${name}@${version}`,
    purl: `pkg:npm/${name}@${version}`,
    licenses: new Models.LicenseRepository([licenceOf(license)]),
  })
  const components = new Map<string, Models.Component>()
  for (const folder of [...bundled, ...required, ...optional]) {
    if (components.has(folder)) continue
    const scope = [...bundled, ...required].includes(folder)
      ? Enums.ComponentScope.Required
      : Enums.ComponentScope.Optional
    components.set(folder, describeComponent(folder, lock, scope))
  }
  for (const [folder, component] of components) {
    product.dependencies.add(component.bomRef)
    for (const dependency of dependenciesOf(lock, folder)) {
      const found = components.get(dependency)
      if (found !== undefined) component.dependencies.add(found.bomRef)
    }
  }
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: product, timestamp: new Date(contents.epoch * 1000) }),
    components: new Models.ComponentRepository(components.values()),
  })
  bom.serialNumber = serialNumber(serialize(bom))
  return serialize(bom)
}

function serialize(bom: Models.Bom): string {
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** A UUID of version 8, which is for names that are derived from contents. */
function serialNumber(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return `urn:uuid:${parts.join('-')}`
}

function describeComponent(folder: string, lock: Lock, scope: Enums.ComponentScope): Models.Component {
  const { version, license, integrity } = lock[folder] ?? {}
  if (version === undefined) throw new Error(`${folder} is not in package-lock.json`)
  const fullName = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [name = '', group] = fullName.split('/').toReversed()
  const component = new Models.Component(Enums.ComponentType.Library, name, {
    version,
    scope,
    // A package can be installed more than once.
    bomRef: `${folder}@${version}`,
    purl: `pkg:npm/${group === undefined ? '' : `${encodeURIComponent(group)}/`}${name}@${version}`,
  })
  if (group !== undefined) component.group = group
  if (license !== undefined) component.licenses.add(licenceOf(license))
  const [, sha512] = /^sha512-(\S+)/.exec(integrity ?? '') ?? []
  if (sha512 !== undefined)
    component.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(sha512, 'base64').toString('hex'))
  return component
}

function licenceOf(text: string): Models.License {
  if (SPDX.isSupportedSpdxId(text)) return new Models.SpdxLicense(text)
  return / (?:OR|AND|WITH) /.test(text) ? new Models.LicenseExpression(text) : new Models.NamedLicense(text)
}

/** Packages at the root of the lock file and all they depend on. */
function reachable(lock: Lock, names: readonly string[]): readonly string[] {
  const found = new Set(names.map((name) => `node_modules/${name}`))
  for (const folder of found) for (const dependency of dependenciesOf(lock, folder)) found.add(dependency)
  return [...found]
}

function dependenciesOf(lock: Lock, folder: string): string[] {
  const { dependencies, optionalDependencies } = lock[folder] ?? {}
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    const resolved = resolve(lock, folder, name)
    return resolved === undefined ? [] : [resolved]
  })
}

/** The folder in which Node.js finds a package: the nearest one. */
function resolve(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (lock[candidate] !== undefined) return candidate
    if (folder === '') return undefined
  }
}
