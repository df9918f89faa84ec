import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleServer } from '../../scripts/build/bundle-server.ts'
import { stampOfSources } from '../../scripts/source-stamp.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const built = join(root, '.cache/program')
/** What the program reads beside its code, at the paths of the checkout. */
const besideTheCode = ['console/dist', 'player/dist', 'package.json']

/**
 * The bundled program of the package. Tests that start processes use it: it starts with a quarter of the processor time that the
 * sources take, and it is what people install. `cli.test.ts` runs the sources through their launcher.
 */
export const program = new URL('../../.cache/program/lib/cli.mjs', import.meta.url)

/** Starts the program as the launcher of the package does. */
export const launcher = join(built, 'bin/tutti')
const command = `exec ${process.execPath} --disable-warning=ExperimentalWarning ${program.pathname}`

/** Bundles the program, unless it was bundled from the same sources. */
export async function ensureProgramBuilt(): Promise<void> {
  const stamp = await stampOfSources([
    'src',
    'package.json',
    'package-lock.json',
    'scripts/build/bundle-server.ts',
  ])
  const stampFile = join(built, '.stamp')
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return
  const folder = `${built}-${randomUUID()}`
  await bundleServer(root, folder)
  for (const path of besideTheCode) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(join(root, path), join(folder, path))
  }
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin/tutti'), `#!/bin/sh\n${command} "$@"\n`, { mode: 0o755 })
  await writeFile(join(folder, '.stamp'), stamp)
  await rm(built, { recursive: true, force: true })
  await rename(folder, built)
}
