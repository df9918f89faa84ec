import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { inject } from 'vitest'
import { locateBinaries } from '../../src/kernel/database/embedded/binaries.ts'
import { prepareLayout } from '../../src/kernel/database/embedded/layout.ts'
import { createPrograms } from '../../src/kernel/database/embedded/programs.ts'
import { chooseRunAs } from '../../src/kernel/database/embedded/run-as.ts'
import { createDataFolder } from './data-folder.ts'
import { findFreePort } from './free-port.ts'
import { patience } from './patience.ts'

export interface PostgresServerOptions {
  /** Settings of the server, such as `ssl: 'on'`. */
  readonly settings?: Readonly<Record<string, string>>
  /** The rules of access over TCP, such as `hostssl all all 127.0.0.1/32 trust`. Default: everybody of this machine. */
  readonly access?: readonly string[]
  /** Files of the database folder, by name. */
  readonly files?: Readonly<Record<string, string>>
  /** The data folder of an unused database that is copied. Default: that of the test run. */
  readonly copyOf?: string
  /** The folder in which its data folder is created. Default: the quick folder. */
  readonly parent?: string | undefined
  /** Makes the server a streaming standby of another one, whose data has not changed since it was created. */
  readonly standbyOf?: PostgresServer
}

/** A PostgreSQL server of its own, on a TCP port of this machine. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number
  /** An address of its database `tutti`, for the role `tutti`, who may do everything. */
  readonly url: string
  /** Runs a statement as that role, over the Unix socket. */
  run<Row extends object>(statement: string): Promise<Row[]>
  /** Starts the server again after it has ended. */
  start(): Promise<void>
  /** Ends the server and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Starts a server on a copy of the unused database: `await using server = await startPostgres()`. */
export async function startPostgres({
  settings = {},
  access = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
  files = {},
  copyOf,
  parent,
  standbyOf,
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  await using closing = new AsyncDisposableStack()
  const folder = closing.use(await createDataFolder({ parent, copyOf: copyOf ?? inject('madeDataFolder') }))
  const layout = prepareLayout(folder.path)
  const runAs = await chooseRunAs(layout, locateBinaries())
  const programs = createPrograms(runAs)
  await programs.makeFolder(layout.socketDir)
  await programs.takeOver(layout.cluster)
  const port = await findFreePort()
  const rules = ['local all all trust', ...access]
  await writeFile(join(layout.cluster, 'pg_hba.conf'), `${rules.join('\n')}\n`)
  for (const [name, text] of Object.entries(files)) await programs.writeFile(join(layout.cluster, name), text)
  if (standbyOf !== undefined) {
    await programs.writeFile(join(layout.cluster, 'standby.signal'), '')
    await appendFile(
      join(layout.cluster, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${standbyOf.port} user=tutti application_name=standby'\n`,
    )
  }
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: layout.socketDir,
    wal_keep_size: '256MB',
    ...settings,
  }
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server: ChildProcess | undefined
  let printed = ''

  async function run<Row extends object>(statement: string): Promise<Row[]> {
    const client = new Client({
      host: layout.socketDir,
      port,
      user: 'tutti',
      database: 'tutti',
      password: '',
    })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end()
    }
  }

  async function start(): Promise<void> {
    const started = programs.startServer(['-D', layout.cluster, ...args])
    server = started
    started.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    for (const deadline = Date.now() + 60_000 * patience; ; await delay(20)) {
      if (started.exitCode !== null) throw new Error(`PostgreSQL ended: ${printed}`)
      const isUp = await run('select 1').then(
        () => true,
        () => false,
      )
      if (isUp) return
      if (Date.now() > deadline) throw new Error(`PostgreSQL does not start: ${printed}`)
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const current = server
    if (current === undefined || current.exitCode !== null || current.signalCode !== null) return
    const ended = once(current, 'exit')
    const pid = folder.serverPid()
    if (pid !== undefined) process.kill(pid, signal)
    await ended
  }

  closing.defer(() => end('SIGINT'))
  await start()
  const opened = closing.move()
  return {
    port,
    url: `postgres://tutti:any@127.0.0.1:${port}/tutti`,
    run,
    start,
    end,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
