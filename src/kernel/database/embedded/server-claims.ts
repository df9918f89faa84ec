import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { UserError } from '#kernel/errors'
import type { RunningServer } from './ensure-running.ts'
import type { Layout } from './layout.ts'
import { embeddedConnection } from './probe-server.ts'
import { isRunning } from './process-info.ts'

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

export interface Claim {
  /** Resolves when the claim is lost: the server or the connection ended. */
  readonly lost: Promise<void>
  /** Releases a guest's claim. True for the last user; new users then wait until the server has stopped. */
  leave(): Promise<boolean>
  release(): Promise<void>
}

export async function claimOwnership(layout: Layout, server: RunningServer): Promise<Claim> {
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

export async function claimGuest(server: RunningServer): Promise<Claim> {
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

export function inUse({ dataDir }: Layout, pid: number): UserError {
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
