import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '#kernel/errors'
import { type ConnectionTarget, errorCode, isConnectionLost } from '#kernel/postgres'
import type { Logger } from '#kernel/telemetry'
import { ensureRunning, type RunningServer } from './ensure-running.ts'
import { type Layout, prepareLayout, removeOutsideSocketDir } from './layout.ts'
import { postmasterStatus, readPostmasterFile } from './postmaster-file.ts'
import { embeddedTarget } from './probe-server.ts'
import { readProcess } from './process-info.ts'
import { type Claim, claimGuest, claimOwnership, inUse } from './server-claims.ts'

/** A running embedded PostgreSQL. */
export interface EmbeddedServer {
  readonly version: string
  readonly target: ConnectionTarget
  close(): Promise<void>
}

export interface OpenEmbeddedOptions {
  readonly dataDir: string
  readonly mode: 'own' | 'join'
  readonly log: Logger
  /** Called when an owner has to wait for a program of PostgreSQL, which runs by then. */
  readonly onStarting?: (() => void) | undefined
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

export async function openEmbedded({
  dataDir,
  mode,
  log,
  onStarting,
}: OpenEmbeddedOptions): Promise<EmbeddedServer> {
  const layout = prepareLayout(dataDir)
  try {
    return mode === 'own' ? await own(layout, log, onStarting) : await join(layout, log)
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
async function own(layout: Layout, log: Logger, onStarting = () => {}): Promise<EmbeddedServer> {
  const owner = readRunningOwner(layout)
  if (owner !== undefined) throw inUse(layout, owner)
  const closing = new AbortController()
  const claimAsOwner = () =>
    claimServer(
      () => ensureRunning(layout, log, closing.signal, onStarting),
      (server) => claimOwnership(layout, server),
    )
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
    target: embeddedTarget(current.server.socketDir),
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
  const { server, claim } = await claimServer(
    () => ensureRunning(layout, log, new AbortController().signal),
    claimGuest,
  )
  return {
    version: server.version,
    target: embeddedTarget(server.socketDir),
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
  findServer: () => Promise<RunningServer>,
  takeClaim: (server: RunningServer) => Promise<Claim>,
): Promise<Claimed> {
  for (;;) {
    const server = await findServer()
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
