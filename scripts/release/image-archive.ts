import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { filesBelow, writeTar } from './archive.ts'

const run = promisify(execFile)

export interface ImageOptions {
  readonly containerfile: string
  /** The folder with the archive of the package. */
  readonly context: string
  readonly target: string
  readonly name: string
  readonly epoch: number
  readonly arguments: Readonly<Record<string, string>>
}

/** Whether this machine can build images. */
export async function hasBuildah(): Promise<boolean> {
  return await run('buildah', ['--version']).then(
    () => true,
    () => false,
  )
}

/**
 * Builds an image and writes it as an OCI archive. All times are that of the commit: those of the layers by buildah, those of the archive by us, since
 * buildah gives its files the time of now. Rejects when the build fails.
 */
export async function writeImageArchive(file: string, options: ImageOptions): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'tutti-image-'))
  const image = `localhost/tutti-release-${process.pid}`
  const buildArguments = Object.entries({ ...options.arguments, SOURCE_DATE_EPOCH: String(options.epoch) })
  try {
    await buildah(
      'build',
      '--format=oci',
      `--timestamp=${options.epoch}`,
      '--no-cache',
      `--file=${options.containerfile}`,
      `--target=${options.target}`,
      `--tag=${image}`,
      ...buildArguments.map(([name, value]) => `--build-arg=${name}=${value}`),
      options.context,
    )
    const layout = join(scratch, 'layout')
    await buildah('push', image, `oci:${layout}:${options.name}`)
    await writeTar(file, await filesBelow(layout), { epoch: options.epoch })
  } finally {
    await run('buildah', ['rmi', '--force', image]).catch(() => {})
    await rm(scratch, { recursive: true, force: true })
  }
}

async function buildah(...args: string[]): Promise<void> {
  await run('buildah', args, { maxBuffer: 64 * 1024 * 1024 })
}
