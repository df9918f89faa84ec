import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { buildServerPackage } from '../../../scripts/build/build-packages.ts'
import { quickFolder } from '../../support/quick-folder.ts'
import {
  type RollingUpgradeOptions,
  type RollingUpgradeReport,
  runRollingUpgrade,
} from './rolling-upgrade.ts'

const checkout = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Upgrades from the package in an archive of an older release to the package of this checkout. Packages that neither bundles come from the
 * checkout. Rejects when the archive cannot be read.
 */
export async function upgradeFrom(
  archive: string,
  options: Pick<RollingUpgradeOptions, 'replicas' | 'callers' | 'onProgress'>,
): Promise<RollingUpgradeReport> {
  await using closing = new AsyncDisposableStack()
  const folder = await mkdtemp(join(await quickFolder(), 'tutti-upgrade-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'))
  const [previous, next] = [join(folder, 'previous'), join(folder, 'next')]
  await mkdir(previous)
  await promisify(execFile)('tar', ['-xzf', resolve(archive), '-C', previous, '--strip-components=1'])
  await buildServerPackage(next, { log: () => {} })
  return await runRollingUpgrade({
    ...options,
    previous: programOf(previous),
    next: programOf(next),
    requestsPerStep: 100,
  })
}

/** The command line of a package. */
export function programOf(packageFolder: string): URL {
  return pathToFileURL(join(packageFolder, 'lib/cli.mjs'))
}
