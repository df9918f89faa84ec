import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { UserError } from '#kernel/errors'
import { createDataFolder, type DataFolder, namesIn } from '../support/data-folder.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess } from '../support/process.ts'

const file = new URL('../fixtures/database-process.ts', import.meta.url)

async function refusal(work: Promise<AsyncDisposable>): Promise<string> {
  const outcome: unknown = await work.catch((error: unknown) => error)
  if (outcome instanceof UserError) return outcome.message
  throw outcome instanceof Error ? outcome : new Error('it was not refused')
}

/** A folder whose database was created, used and stopped cleanly. */
async function createUsedFolder(): Promise<DataFolder> {
  const folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  const database = await folder.open()
  await database.close()
  return folder
}

/** The state after a crash: the file names a process, here one unrelated to PostgreSQL. */
function leaveStaleFiles(folder: DataFolder, pid: number | undefined): void {
  const lines = [
    pid,
    join(folder.path, 'postgres'),
    1_700_000_000,
    5432,
    join(folder.path, 'run'),
    '',
    '  5  5',
    'ready',
  ]
  writeFileSync(join(folder.path, 'postgres', 'postmaster.pid'), lines.join('\n'), { mode: 0o600 })
  writeFileSync(join(folder.path, 'run', '.s.PGSQL.5432.lock'), lines.join('\n'), { mode: 0o600 })
}

test('committed rows are there after a clean stop and start', async () => {
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  {
    await using database = await folder.open()
    expect(database.kind).toBe('embedded')
    await database.query('create table kept as select 42 as answer')
  }
  expect(folder.serverPid()).toBeUndefined()
  await using again = await folder.open()
  expect(await again.query('select answer from kept')).toEqual([{ answer: 42 }])
})

test('its settings are safe: durable, off the network, private, with one collation', async () => {
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  await using database = await folder.open()
  const [settings] = await database.query(`
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
           current_setting('full_page_writes') as full_page_writes, current_setting('listen_addresses') as listen_addresses,
           current_setting('data_checksums') as data_checksums, datcollate, datlocprovider, datlocale,
           pg_encoding_to_char(encoding) as encoding
    from pg_database
    where datname = current_database()
  `)
  expect(settings).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    data_checksums: 'on',
    datcollate: 'C',
    datlocprovider: 'b',
    datlocale: 'C.UTF-8',
    encoding: 'UTF8',
  })
  for (const name of ['postgres', 'run']) expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o700)
})

test('a server of another folder behind our socket is refused', async () => {
  await using folder = await createUsedFolder()
  await using foreign = await createDataFolder({ copyOf: inject('madeDataFolder') })
  await using foreignDatabase = await foreign.open()
  await rm(join(folder.path, 'run'), { recursive: true })
  await symlink(join(foreign.path, 'run'), join(folder.path, 'run'))

  expect(await refusal(folder.open())).toBe(
    `The PostgreSQL server on the socket in ${folder.path}/run does not belong to ${folder.path}/postgres. ` +
      'Stop that server, or set TUTTI_DATA_DIR to another folder.',
  )
  expect(await foreignDatabase.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('a server that does not know the token of the folder is refused', async () => {
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  await using owner = await startProcess({
    file,
    args: ['own'],
    env: { TUTTI_DATA_DIR: folder.path, DATABASE_URL: undefined },
  })
  await owner.waitForLine(/^ready/)
  await owner.kill()
  writeFileSync(join(folder.path, 'postgres', 'tutti.token'), 'another token\n')

  expect(await refusal(folder.open())).toContain('does not belong to')
  expect(await refusal(folder.open('join'))).toContain('does not belong to')
})

test('a program on the socket that is not PostgreSQL is refused', async () => {
  await using folder = await createUsedFolder()
  const stranger = createServer((socket) => socket.end('hello?')).listen(
    join(folder.path, 'run', '.s.PGSQL.5432'),
  )
  await once(stranger, 'listening')
  try {
    expect(await refusal(folder.open())).toContain(
      `The process that listens on the socket in ${folder.path}/run is not PostgreSQL`,
    )
  } finally {
    stranger.close()
  }
})

test('a kill during the creation of the database does not break the next start', async () => {
  await using folder = await createDataFolder()
  const start = () =>
    startProcess({ file, args: ['own'], env: { TUTTI_DATA_DIR: folder.path, DATABASE_URL: undefined } })
  for (const afterMs of [0, 100, 250, 400]) {
    await using child = await start()
    await eventually(
      async () => (await namesIn(folder)).some((name) => /^postgres(?:\.new-|$)/.test(name)),
      2,
    )
    await delay(afterMs)
    await child.kill()
    // A kill may come after the rename; each round must start without a database.
    await folder.killServer('SIGKILL')
    await rm(join(folder.path, 'postgres'), { recursive: true, force: true })
  }
  await using survivor = await start()
  await survivor.waitForLine(/^ready/)
  expect((await namesIn(folder)).filter((name) => name.includes('.new-'))).toEqual([])
})

test('files of a crashed server whose process id belongs to another program are removed', async () => {
  await using folder = await createUsedFolder()
  const other: ChildProcess = spawn('sleep', ['60'], { stdio: 'ignore' })
  try {
    leaveStaleFiles(folder, other.pid)
    await using database = await folder.open()
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
  } finally {
    other.kill('SIGKILL')
  }
})

test.runIf(process.platform === 'linux')('files of a crashed zombie server are removed', async () => {
  await using folder = await createUsedFolder()
  // The program that replaces the shell never reaps the child of the shell.
  const careless = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [printed] = (await once(careless.stdout, 'data')) as [Buffer]
    const pid = Number(printed.toString())
    await eventually(() => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '))
    leaveStaleFiles(folder, pid)
    await using database = await folder.open()
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
  } finally {
    careless.kill('SIGKILL')
  }
})

test('files of a crashed server whose process id is free are removed', async () => {
  await using folder = await createUsedFolder()
  const gone = spawn('true')
  await once(gone, 'exit')
  leaveStaleFiles(folder, gone.pid)
  await using database = await folder.open()
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('a folder with a path too long for a socket has its socket elsewhere', async () => {
  await using parent = await createDataFolder()
  const long = join(parent.path, 'a-rather-long-name-for-a-folder'.repeat(4))
  await mkdir(long)
  await using folder = await createDataFolder({ parent: long })
  let socketDir = ''
  {
    await using database = await folder.open()
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
    expect(existsSync(join(folder.path, 'run'))).toBe(false)
    const [row] = await database.query<{ folder: string }>(
      `select current_setting('unix_socket_directories') as folder`,
    )
    socketDir = row?.folder.replaceAll('"', '') ?? ''
    expect(statSync(socketDir).mode & 0o777).toBe(0o700)
    await using guest = await folder.open('join')
    expect(await guest.query('select 1 as one')).toEqual([{ one: 1 }])
  }
  expect(folder.serverPid()).toBeUndefined()
  expect(existsSync(socketDir)).toBe(false)
})

test('a folder with spaces, commas and quotes in its name works', async () => {
  await using parent = await createDataFolder()
  const odd = join(parent.path, `it's "my", data`)
  await mkdir(odd)
  await using folder = await createDataFolder({ parent: odd })
  await using database = await folder.open()
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('an unusable folder is reported in one line', async () => {
  await using folder = await createDataFolder()
  await mkdir(join(folder.path, 'postgres'))
  expect(await refusal(folder.open())).toBe(
    `${folder.path}/postgres is not a database folder. Move it away, or set TUTTI_DATA_DIR to another folder.`,
  )
  writeFileSync(join(folder.path, 'postgres', 'PG_VERSION'), '15\n')
  expect(await refusal(folder.open())).toContain('was written by PostgreSQL 15')
  writeFileSync(join(folder.path, 'postgres', 'PG_VERSION'), '18\n')
  expect(await refusal(folder.open())).toContain('does not start')
})

test('a server that cannot start reports the reason', async () => {
  await using folder = await createUsedFolder()
  const settings = join(folder.path, 'postgres', 'postgresql.conf')
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}\nnonsense = 1\n`)
  chmodSync(settings, 0o600)
  expect(await refusal(folder.open())).toContain('unrecognized configuration parameter "nonsense"')
})
