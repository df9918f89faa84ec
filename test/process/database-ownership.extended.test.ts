import { expect, inject, test } from 'vitest'
import { createDataFolder, type DataFolder } from '../support/data-folder.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'

const file = new URL('../fixtures/database-process.ts', import.meta.url)

function start(folder: DataFolder, mode: 'own' | 'join'): Promise<RunningProcess> {
  return startProcess({ file, args: [mode], env: { TUTTI_DATA_DIR: folder.path, DATABASE_URL: undefined } })
}

function createMadeFolder(): Promise<DataFolder> {
  return createDataFolder({ copyOf: inject('madeDataFolder') })
}

/** The outcome of a process that tries to own the folder. */
function settle(child: RunningProcess): Promise<'owns' | number | null> {
  return Promise.race([
    child.waitForLine(/^ready/).then(() => 'owns' as const),
    child.exit.then((exit) => exit.code),
  ])
}

/** The one line of a refused process: the folder and its owner. */
function refusal(folder: DataFolder, owner: RunningProcess): string {
  return (
    `The data folder ${folder.path} is in use by another Tutti (process ${owner.pid}). ` +
    'Stop that one, or set TUTTI_DATA_DIR to another folder.'
  )
}

test('of two processes that start concurrently on a fresh folder, one owns it and the other gets an error', async () => {
  await using folder = await createDataFolder()
  await using one = await start(folder, 'own')
  await using other = await start(folder, 'own')

  const [first, second] = await Promise.all([settle(one), settle(other)])

  expect(new Set([first, second])).toEqual(new Set(['owns', 1]))
  const [winner, loser] = first === 'owns' ? [one, other] : [other, one]
  expect(loser.stderr).toEqual([refusal(folder, winner)])
  await using guest = await folder.open('join')
  expect(await guest.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('a second process is refused later on, and does no harm', async () => {
  await using folder = await createMadeFolder()
  await using owner = await start(folder, 'own')
  await owner.waitForLine(/^ready/)
  await using second = await start(folder, 'own')

  expect(await second.exit).toEqual({ code: 1, signal: null })
  expect(second.stderr).toEqual([refusal(folder, owner)])
  expect(await owner.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(folder.serverPid()).toBeUndefined()
})

test('the same process cannot own a folder twice', async () => {
  await using folder = await createMadeFolder()
  await using owner = await folder.open()
  await owner.query('select 1')
  await expect(folder.open()).rejects.toThrow(`in use by another Tutti (process ${process.pid})`)
})

test('after a kill the next process takes over the remaining server', async () => {
  await using folder = await createMadeFolder()
  await using first = await start(folder, 'own')
  await first.waitForLine(/^ready/)
  const serverPid = folder.serverPid()
  await first.kill()
  await using next = await start(folder, 'own')
  await next.waitForLine(/^ready/)

  expect(serverPid).toBeDefined()
  expect(folder.serverPid()).toBe(serverPid)
  await next.kill('SIGTERM')
  expect(folder.serverPid()).toBeUndefined()
})

test('a short command joins a running database and leaves it running', async () => {
  await using folder = await createMadeFolder()
  await using owner = await start(folder, 'own')
  await owner.waitForLine(/^ready/)
  const serverPid = folder.serverPid()
  await using command = await start(folder, 'join')
  await command.waitForLine(/^ready/)

  expect(await command.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(folder.serverPid()).toBe(serverPid)
})

test('short commands start the database when none runs, and the last one stops it', async () => {
  await using folder = await createMadeFolder()
  await using one = await start(folder, 'join')
  await using other = await start(folder, 'join')
  await Promise.all([one.waitForLine(/^ready/), other.waitForLine(/^ready/)])

  await one.kill('SIGTERM')
  const afterFirst = folder.serverPid()
  await other.kill('SIGTERM')

  expect(afterFirst).toBeDefined()
  expect(folder.serverPid()).toBeUndefined()
})

test('an owner takes over a server that a short command started', async () => {
  await using folder = await createMadeFolder()
  await using command = await start(folder, 'join')
  await command.waitForLine(/^ready/)
  await using owner = await start(folder, 'own')
  await owner.waitForLine(/^ready/)
  const serverPid = folder.serverPid()

  await command.kill('SIGTERM')
  expect(folder.serverPid()).toBe(serverPid)
  await owner.kill('SIGTERM')
  expect(folder.serverPid()).toBeUndefined()
})
