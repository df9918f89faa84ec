import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDataFolder, type DataFolder } from '../support/data-folder.ts'
import { type ProcessOptions, type RunningProcess, startProcess } from '../support/process.ts'

const file = new URL('../fixtures/database-process.ts', import.meta.url)
const isRoot = process.getuid?.() === 0
/** Any user but root, who can read this checkout. */
const ordinary = 65_534
const ordinaryCanRun =
  isRoot && spawnSync('test', ['-r', file.pathname], { uid: ordinary, gid: ordinary }).status === 0
const namespacesAreOpen = spawnSync('unshare', ['--user', '--map-user=1', 'true']).status === 0

/** Where `unshare` cannot be found, it is as if user namespaces were closed. */
const withoutNamespaces = { PATH: '/nowhere' }

function start(folder: DataFolder, options: Partial<ProcessOptions> = {}): Promise<RunningProcess> {
  const env = { TUTTI_DATA_DIR: folder.path, DATABASE_URL: undefined, ...options.env }
  return startProcess({ file, args: ['own'], cwd: '/', ...options, env })
}

async function startAndStop(folder: DataFolder, options: Partial<ProcessOptions> = {}): Promise<void> {
  await using child = await start(folder, options)
  await child.waitForLine(/^ready/)
  expect(await child.kill('SIGTERM')).toEqual({ code: 0, signal: null })
}

function ownerOf(folder: DataFolder): number {
  return statSync(join(folder.path, 'postgres')).uid
}

test('the user who runs the tests starts, stops and starts again', async () => {
  await using folder = await createDataFolder()
  await startAndStop(folder)
  await startAndStop(folder)
  expect(ownerOf(folder)).toBe(process.getuid?.())
})

test.runIf(ordinaryCanRun)('an ordinary user in an own folder', async () => {
  await using folder = await createDataFolder({ uid: ordinary })
  await startAndStop(folder, { uid: ordinary, gid: ordinary })
  expect(ownerOf(folder)).toBe(ordinary)
  // Root then runs it as the user it belongs to, and leaves it usable by that user.
  await startAndStop(folder)
  await startAndStop(folder, { uid: ordinary, gid: ordinary })
})

test.runIf(ordinaryCanRun)('an ordinary user without a name in an own folder', async () => {
  const nameless = 54_321
  await using folder = await createDataFolder({ uid: nameless })
  await startAndStop(folder, { uid: nameless, gid: nameless })
  expect(ownerOf(folder)).toBe(nameless)
})

test.runIf(ordinaryCanRun)('an ordinary user in the folder of another user gets an error', async () => {
  await using folder = await createDataFolder()
  await using child = await start(folder, { uid: ordinary, gid: ordinary })
  expect((await child.exit).code).toBe(1)
  expect(child.stderr.join('\n')).toMatch(
    /^The data folder .* cannot be used \(EACCES.*Set TUTTI_DATA_DIR to a folder that this user may write\.$/,
  )
})

test.runIf(isRoot && namespacesAreOpen)('root in a folder only root can enter', async () => {
  await using parent = await createDataFolder()
  await chmod(parent.path, 0o700)
  const inner = join(parent.path, 'root-only')
  await mkdir(inner, { mode: 0o700 })
  await using folder = await createDataFolder({ parent: inner })
  await startAndStop(folder)
  await startAndStop(folder)
  expect(ownerOf(folder)).toBe(0)
})

test.runIf(isRoot)(
  'root without user namespaces runs it as another user, and migrates an older database',
  async () => {
    await using folder = await createDataFolder()
    if (namespacesAreOpen) await startAndStop(folder)
    await startAndStop(folder, { env: withoutNamespaces })
    expect(ownerOf(folder)).not.toBe(0)
    expect(statSync(folder.path).mode & 0o007).toBe(0)
    await startAndStop(folder, { env: withoutNamespaces })
    await startAndStop(folder)
  },
)

test.runIf(isRoot)(
  'root without user namespaces, where no other user has access, gets a remedy',
  async () => {
    await using parent = await createDataFolder()
    await using folder = await createDataFolder({ parent: parent.path })
    await using child = await start(folder, { env: withoutNamespaces })
    expect((await child.exit).code).toBe(1)
    expect(child.stderr).toEqual([
      `PostgreSQL refuses to run as root, and no other user can reach ${folder.path} here (user namespaces are disabled). ` +
        'Start Tutti as an ordinary user, set TUTTI_DATA_DIR to a folder such as /var/lib/tutti, or set DATABASE_URL to a PostgreSQL server.',
    ])
  },
)
