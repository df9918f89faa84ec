import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { UserError } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { errorCode, isConnectionLost } from '../database-errors.ts'
import { ensureRunning, type RunningServer } from './ensure-running.ts'
import { type Layout, prepareLayout, removeOutsideSocketDir } from './layout.ts'
import { postmasterStatus, readPostmasterFile } from './postmaster-file.ts'
import { embeddedConnection } from './probe-server.ts'
import { isRunning, readProcess } from './process-info.ts'

/** A running embedded PostgreSQL. */
export interface EmbeddedServer {
  readonly version: string
  readonly connection: ClientConfig
  close(): Promise<void>
}

export interface OpenEmbeddedOptions {
  readonly dataDir: string
  readonly mode: 'own' | 'join'
  readonly log: Logger
}

interface Claimed {
  readonly server: RunningServer
  readonly claim: Claim
}

const folderProblems: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
])

export async function openEmbedded({ dataDir, mode, log }: OpenEmbeddedOptions): Promise<EmbeddedServer> {
  const layout = prepareLayout(dataDir)
  try {
    return mode === 'own' ? await own(layout, log) : await join(layout, log)
  } catch (error) {
    if (!(error instanceof Error) || !folderProblems.has(errorCode(error) ?? '')) throw error
    throw new UserError(`The data folder ${layout.dataDir} cannot be used: ${error.message}`, {
      cause: error,
    })
  }
}

/**
 * | state      | on                                | next                                                        |
 * |------------|-----------------------------------|-------------------------------------------------------------|
 * | claiming   | another owner runs                | refused                                                     |
 * | claiming   | this process gets the owner lock  | owning                                                      |
 * | owning     | the claim's connection is lost    | claiming again, 100 ms to 5 s between tries: the server is  |
 * |            |                                   | restarted if it has ended                                   |
 * | any        | close                             | the server is stopped, the owner file removed               |
 */
async function own(layout: Layout, log: Logger): Promise<EmbeddedServer> {
  const owner = readRunningOwner(layout)
  if (owner !== undefined) throw inUse(layout, owner)
  const closing = new AbortController()
  const claimAsOwner = () =>
    claimServer(layout, log, closing.signal, (server) => claimOwnership(layout, server))
  let current = await claimAsOwner()
  try {
    writeOwner(layout)
  } catch (error) {
    await stopServer(layout, log)
    await current.claim.release()
    throw error
  }

  async function supervise(): Promise<void> {
    for (;;) {
      await current.claim.lost
      if (closing.signal.aborted) return
      log.warn('the embedded PostgreSQL ended unexpectedly, restarting it')
      const reclaimed = await retryUntilAborted(claimAsOwner, closing.signal, log)
      if (reclaimed === undefined) return
      current = reclaimed
      log.info({ postgresPid: current.server.pid }, 'the embedded PostgreSQL runs again')
    }
  }

  const supervised = supervise()
  return {
    version: current.server.version,
    connection: embeddedConnection(current.server.socketDir),
    async close() {
      closing.abort()
      await stopServer(layout, log)
      await current.claim.release()
      await supervised
      // The supervisor may have started another server meanwhile.
      await stopServer(layout, log)
      removeOwner(layout)
      removeOutsideSocketDir(layout)
    },
  }
}

async function join(layout: Layout, log: Logger): Promise<EmbeddedServer> {
  const { server, claim } = await claimServer(layout, log, new AbortController().signal, claimGuest)
  return {
    version: server.version,
    connection: embeddedConnection(server.socketDir),
    async close() {
      const last = await claim.leave().catch(() => false)
      if (last) await stopServer(layout, log)
      await claim.release()
      if (last) removeOutsideSocketDir(layout)
    },
  }
}

/** Retries on a lost connection: a server that was found running may be stopping, and the next attempt starts a new one. */
async function claimServer(
  layout: Layout,
  log: Logger,
  signal: AbortSignal,
  takeClaim: (server: RunningServer) => Promise<Claim>,
): Promise<Claimed> {
  for (;;) {
    const server = await ensureRunning(layout, log, signal)
    try {
      return { server, claim: await takeClaim(server) }
    } catch (error) {
      if (!isConnectionLost(error)) throw error
    }
  }
}

async function retryUntilAborted<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  log: Logger,
): Promise<Result | undefined> {
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 5000)) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) return undefined
      log.error({ err: error }, 'could not restart the embedded PostgreSQL, retrying')
    }
    await delay(waitMs, undefined, { signal }).catch(() => {})
  }
}

/** The process that owns the embedded database. */
interface Owner {
  readonly pid: number
  readonly startTime: string
}

/** The owner recorded in the data folder, if it still runs. Its start time tells it from a later process with the same id. */
function readRunningOwner({ ownerFile }: Layout): number | undefined {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(ownerFile, 'utf8')) as Owner
    const info = readProcess(pid)
    return info && !info.zombie && info.startTime === startTime ? pid : undefined
  } catch {
    return undefined
  }
}

function writeOwner({ ownerFile }: Layout): void {
  const owner: Owner = { pid: process.pid, startTime: readProcess(process.pid)?.startTime ?? '' }
  const draft = `${ownerFile}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(owner)}\n`, { mode: 0o600 })
  renameSync(draft, ownerFile)
}

function removeOwner(layout: Layout): void {
  if (readRunningOwner(layout) === process.pid) rmSync(layout.ownerFile, { force: true })
}

/** Time for the last checkpoint on a slow disk. */
const fastShutdownMs = 60_000

/** Requests PostgreSQL's fast shutdown, which ends all connections and writes a checkpoint, and waits until the server has ended. */
async function stopServer({ cluster }: Layout, log: Logger): Promise<void> {
  const pid = readPostmasterFile(cluster)?.pid
  // A server in another container has a process id that means nothing here, so it does not count as running.
  const runs = () => pid !== undefined && postmasterStatus(pid, cluster) === 'running'
  if (pid === undefined || !runs()) return
  send(pid, 'SIGINT')
  const deadline = Date.now() + fastShutdownMs
  while (runs() && Date.now() < deadline) await delay(10)
  if (!runs()) return
  log.warn(
    { postgresPid: pid },
    'the embedded PostgreSQL does not stop, killing it; it will recover at the next start',
  )
  send(pid, 'SIGQUIT')
  while (runs() && Date.now() < deadline + 10_000) await delay(50)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The process has just ended by itself.
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/**
 * Advisory locks in the embedded database record which processes use it. A lock ends with its connection, so a killed process
 * leaves no claim behind.
 *
 * | lock  | held by                                           | means                                     |
 * |-------|---------------------------------------------------|-------------------------------------------|
 * | owner | the one process that supervises the server, alone | no other process may own the server       |
 * | guest | every short command that joined, shared           | the server must not be stopped            |
 *
 * A guest that leaves tries to take both locks alone: if it gets them, no other process is left and it stops the server.
 */
const ownerLock = 7_488_413_002
const guestLock = 7_488_413_003

/** How long an owner waits for the claim of a process that is stopping or was just killed. */
const ownerWaitMs = 10_000

interface Claim {
  /** Resolves when the claim is lost: the server or the connection ended. */
  readonly lost: Promise<void>
  /** Releases a guest's claim. True for the last user; new users then wait until the server has stopped. */
  leave(): Promise<boolean>
  release(): Promise<void>
}

async function claimOwnership(layout: Layout, server: RunningServer): Promise<Claim> {
  const connection = await connectClaim(server, `tutti owner ${process.pid}`)
  const deadline = Date.now() + ownerWaitMs
  return releaseOnFailure(connection, async () => {
    while (!(await connection.tryLock('pg_try_advisory_lock', ownerLock))) {
      const holder = await findOwner(connection.client)
      if (holder !== undefined && (isRunning(holder) || Date.now() > deadline)) throw inUse(layout, holder)
      await delay(25)
    }
  })
}

async function claimGuest(server: RunningServer): Promise<Claim> {
  const connection = await connectClaim(server, `tutti guest ${process.pid}`)
  return releaseOnFailure(connection, async () => {
    // Refused only while another guest stops the server; then this connection ends, and the caller starts the server again.
    while (!(await connection.tryLock('pg_try_advisory_lock_shared', guestLock))) await delay(25)
  })
}

async function releaseOnFailure(claim: Claim, take: () => Promise<void>): Promise<Claim> {
  try {
    await take()
    return claim
  } catch (error) {
    await claim.release()
    throw error
  }
}

function inUse({ dataDir }: Layout, pid: number): UserError {
  return new UserError(
    `The data folder ${dataDir} is in use by another Tutti (process ${pid}). Stop that one, or set TUTTI_DATA_DIR to another folder.`,
  )
}

interface ClaimConnection extends Claim {
  readonly client: Client
  tryLock(take: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared', lock: number): Promise<boolean>
}

async function connectClaim({ socketDir }: RunningServer, name: string): Promise<ClaimConnection> {
  const client = new Client({
    ...embeddedConnection(socketDir),
    application_name: name,
    query_timeout: 10_000,
  })
  const lost = new Promise<void>((resolve) => {
    client.on('error', () => resolve())
    client.on('end', () => resolve())
  })
  await client.connect()

  async function tryLock(take: string, lock: number): Promise<boolean> {
    const { rows } = await client.query<{ taken: boolean }>(`select ${take}($1) as taken`, [lock])
    return rows[0]?.taken ?? false
  }

  return {
    client,
    lost,
    tryLock,
    async leave() {
      await client.query('select pg_advisory_unlock_shared($1)', [guestLock])
      return (
        (await tryLock('pg_try_advisory_lock', ownerLock)) &&
        (await tryLock('pg_try_advisory_lock', guestLock))
      )
    },
    release: () => client.end().catch(() => {}),
  }
}

/** The process id of the owner, which is part of its application name; undefined while a guest holds the lock. */
async function findOwner(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>(
    `
      select substring(application_name from '^tutti owner (\\d+)$')::int as pid
      from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and (classid::bigint << 32) | objid::bigint = $1
        and application_name like 'tutti owner %'
    `,
    [ownerLock],
  )
  return rows[0]?.pid
}
