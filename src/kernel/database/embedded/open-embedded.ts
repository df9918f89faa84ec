import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { UserMistake } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { errorCode, isConnectionLost } from '../connection-errors.ts'
import { type Claim, claimGuest, claimOwnership, inUse } from './claims.ts'
import { ensureRunning, type RunningServer } from './ensure-running.ts'
import { type Layout, prepareLayout, removeOutsideSocketDir } from './layout.ts'
import { readRunningOwner, removeOwner, writeOwner } from './owner-file.ts'
import { embeddedConnection } from './probe-server.ts'
import { stopServer } from './stop-server.ts'

/** The embedded PostgreSQL, for as long as we need it. */
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
    throw new UserMistake(`The data folder ${layout.dataDir} cannot be used: ${error.message}`, {
      cause: error,
    })
  }
}

/**
 * | state      | on                                | next                                                        |
 * |------------|-----------------------------------|-------------------------------------------------------------|
 * | claiming   | another owner runs                | refused                                                     |
 * | claiming   | the server runs, the lock is ours | owning                                                      |
 * | owning     | the claim's connection is lost    | claiming again, 100 ms to 5 s between tries: the server is  |
 * |            |                                   | restarted if it is gone                                     |
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
      log.warn('the embedded PostgreSQL ended unexpectedly; starting it again')
      const again = await persist(claimAsOwner, closing.signal, log)
      if (again === undefined) return
      current = again
      log.info({ postgresPid: current.server.pid }, 'the embedded PostgreSQL is back')
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
      // The supervisor may just have been starting another one.
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

/** A server found running may be on its way down: then its connection breaks, and the next round starts a new one. */
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

async function persist<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  log: Logger,
): Promise<Result | undefined> {
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 5000)) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) return undefined
      log.error({ err: error }, 'the embedded PostgreSQL could not be started again')
    }
    await delay(waitMs, undefined, { signal }).catch(() => {})
  }
}
