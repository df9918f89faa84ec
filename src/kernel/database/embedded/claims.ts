import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { UserMistake } from '#kernel/errors'
import type { RunningServer } from './ensure-running.ts'
import type { Layout } from './layout.ts'
import { embeddedConnection } from './probe-server.ts'
import { isRunning } from './process-facts.ts'

/**
 * Who uses an embedded database is settled in the database itself, by locks that end with the connection that holds
 * them: whatever happens to a process, its claim goes with it.
 *
 * | lock  | held by                                                   | means                                |
 * |-------|-----------------------------------------------------------|--------------------------------------|
 * | owner | the one process that looks after the server, exclusively  | no other owner                       |
 * | guest | every short command that joined, shared                   | do not stop the server under me      |
 *
 * A guest that leaves takes both exclusively if it can: then nobody else is there, and it stops the server.
 */
const ownerLock = 7_488_413_002
const guestLock = 7_488_413_003

/** A claim that is being given up, or whose holder was just killed, is gone within this time. */
const patienceMs = 10_000

export interface Claim {
  /** Resolves when the claim is gone: the server ended, or somebody ended the connection. */
  readonly lost: Promise<void>
  /** Gives a guest's claim up; true when nobody else is left, who then cannot come in before the server has stopped. */
  leave(): Promise<boolean>
  release(): Promise<void>
}

export async function claimOwnership(layout: Layout, server: RunningServer): Promise<Claim> {
  const connection = await connectClaim(server, `tutti owner ${process.pid}`)
  const deadline = Date.now() + patienceMs
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
    // Refused only while another guest is stopping the server; then the connection ends, and we start it again.
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

export function inUse({ dataDir }: Layout, pid: number): UserMistake {
  return new UserMistake(
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

/** The process number of the owner, which its connection carries in its name; undefined while a guest holds the lock. */
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
