import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type BuiltPackages, buildPackages, packPackage } from '../build/build-packages.ts'
import { filesBelow } from './archive.ts'
import { writeChartPackage } from './chart-package.ts'
import { findHelm } from './helm.ts'
import { hasBuildah, writeImageArchive } from './image-archive.ts'
import type { ReleasePlan } from './plan-release.ts'
import { writePythonPackage } from './python-package.ts'
import { type Lock, writeSbom } from './write-sbom.ts'

export interface ArtefactOptions {
  readonly log: (line: string) => void
  /** Images from which that of the platform is made; false makes none. */
  readonly image: false | { readonly base?: string | undefined; readonly builder?: string | undefined }
  readonly chart: boolean
}

/**
 * Makes everything that a release publishes, in a folder that is emptied first: packages, image, chart, bill of materials, notes and
 * checksums. The same commit gives the same bytes. What this machine cannot make is skipped, with a line that says why.
 */
export async function makeArtefacts(
  root: string,
  folder: string,
  plan: Pick<ReleasePlan, 'version' | 'notes' | 'changes' | 'revision' | 'epoch'>,
  { log, image, chart }: ArtefactOptions,
): Promise<void> {
  const { version, epoch, changes } = plan
  await rm(folder, { recursive: true, force: true })
  const scratch = await mkdtemp(join(tmpdir(), 'tutti-release-'))
  try {
    const built = await buildPackages(join(scratch, 'packages'), { log, changes })
    for (const source of [built.tutti, built.tdd, built.client])
      await packPackage(source, join(folder, 'npm'))
    await writeFile(join(folder, `tutti-${version}.cdx.json`), await describeTutti(root, built, epoch))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  const pyproject = changes.get('sdk/python/pyproject.toml')
  await writePythonPackage(join(root, 'sdk/python'), join(folder, 'python'), { epoch, pyproject })
  if (chart) await makeChart(root, folder, plan, log)
  else log('skipped: chart (--skip-chart)')
  if (image === false) log('skipped: image (--skip-image)')
  else if (!(await hasBuildah())) log('skipped: image, because buildah is not installed')
  else await makeImages(root, folder, plan, image)
  await writeFile(join(folder, 'NOTES.md'), `# Tutti ${version}\n${plan.notes}`)
  await writeChecksums(folder)
  for (const { name } of await filesBelow(folder)) {
    const { size } = await stat(join(folder, name))
    log(`${name}  ${size < 1e6 ? `${Math.ceil(size / 1e3)} kB` : `${(size / 1e6).toFixed(1)} MB`}`)
  }
}

async function makeChart(
  root: string,
  folder: string,
  { version, epoch, changes }: Pick<ReleasePlan, 'version' | 'epoch' | 'changes'>,
  log: (line: string) => void,
): Promise<void> {
  const helm = await findHelm(root)
  if (helm === undefined)
    log(
      'skipped: chart, because helm cannot run here (it needs Linux on x64, or qemu-x86_64-static, and the optional dependencies)',
    )
  else await writeChartPackage(root, join(folder, 'chart'), { helm, version, epoch, changes })
}

async function makeImages(
  root: string,
  folder: string,
  { version, revision, epoch }: Pick<ReleasePlan, 'version' | 'revision' | 'epoch'>,
  { base, builder }: { readonly base?: string | undefined; readonly builder?: string | undefined },
): Promise<void> {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  await mkdir(join(folder, 'image'), { recursive: true })
  for (const target of ['server', 'embedded']) {
    const name = `tutti${target === 'server' ? '' : `-${target}`}-${version}`
    await writeImageArchive(join(folder, 'image', `${name}-${architecture}.oci.tar`), {
      containerfile: join(root, 'deploy/Containerfile'),
      context: join(folder, 'npm'),
      target,
      name: version,
      epoch,
      arguments: {
        VERSION: version,
        REVISION: revision,
        ...(base !== undefined && { BASE: base }),
        ...(builder !== undefined && { BUILDER: builder }),
      },
    })
  }
}

async function describeTutti(root: string, built: BuiltPackages, epoch: number): Promise<string> {
  interface Manifest {
    readonly name: string
    readonly version: string
    readonly description: string
    readonly license: string
    readonly dependencies: Readonly<Record<string, string>>
    readonly optionalDependencies: Readonly<Record<string, string>>
  }
  const manifest = JSON.parse(await readFile(join(built.tutti, 'package.json'), 'utf8')) as Manifest
  const { packages: lock } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Lock
  }
  return writeSbom({
    ...manifest,
    epoch,
    root,
    lock,
    bundled: built.bundled,
    dependencies: Object.keys(manifest.dependencies),
    optionalDependencies: Object.keys(manifest.optionalDependencies),
  })
}

/** Writes the hashes of all files as `sha256sum --check` reads them. */
async function writeChecksums(folder: string): Promise<void> {
  const lines: string[] = []
  for (const { name } of await filesBelow(folder)) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, name)), hash)
    lines.push(`${hash.digest('hex')}  ${name}\n`)
  }
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''))
}
