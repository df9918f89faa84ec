import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { runCommand } from '../../scripts/run-command.ts'

/** The engines for comparison. They are not dependencies of the project: the benchmark installs them. */
export const peerVersions = {
  '@dbos-inc/dbos-sdk': '5.3.0',
  '@restatedev/restate-sdk': '1.17.2',
  '@restatedev/restate-server': '1.7.12',
} as const

const folder = new URL('../../.cache/bench-peers/', import.meta.url)
const manifest = new URL('package.json', folder)

/** Installs the peers outside the project, unless they exist. Throws when that fails, for example without a network. */
export async function installPeers(): Promise<void> {
  const wanted = JSON.stringify({ private: true, dependencies: peerVersions }, null, 2)
  const installed = new URL('installed.json', folder)
  if ((await readFile(installed, 'utf8').catch(() => '')) === wanted) return
  await mkdir(folder, { recursive: true })
  await writeFile(manifest, wanted)
  const { ok, output } = await runCommand('npm', [
    'install',
    '--prefix',
    folder.pathname,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  if (!ok)
    throw new Error(`npm could not install it (${output.trim().replaceAll(/\s+/g, ' ').slice(0, 200)})`)
  await writeFile(installed, wanted)
}

/** Imports a package of a peer, typed as the part that the caller uses. */
export async function importPeer<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(peerFile(name)).href)) as Module
}

/** The path of a file of a peer. */
export function peerFile(name: string): string {
  return createRequire(manifest).resolve(name)
}
