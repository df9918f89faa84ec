import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { UserMistake } from '#kernel/errors'
import { isConnectionLost } from './connection-errors.ts'

const oldestMajor = 15

/** Connects to the server of DATABASE_URL once, waiting while it starts, and answers its version. */
export async function checkServer(connection: ClientConfig, connectWaitMs: number): Promise<string> {
  const deadline = Date.now() + connectWaitMs
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1000)) {
    try {
      const version = await readServerVersion({
        ...connection,
        connectionTimeoutMillis: Math.max(1000, connectWaitMs),
      })
      if (Number.parseInt(version, 10) < oldestMajor) {
        throw new UserMistake(
          `DATABASE_URL: PostgreSQL ${version} is too old. Use version ${oldestMajor} or later.`,
        )
      }
      return version
    } catch (error) {
      if (error instanceof UserMistake) throw error
      const reason = error instanceof Error ? error.message || error.name : String(error)
      if (!isConnectionLost(error)) throw new UserMistake(`DATABASE_URL: ${reason}`, { cause: error })
      if (Date.now() + waitMs > deadline) {
        throw new UserMistake(
          `DATABASE_URL: the PostgreSQL server cannot be reached (${reason}). Is it running, and is the address right?`,
          { cause: error },
        )
      }
    }
    await delay(waitMs)
  }
}

async function readServerVersion(config: ClientConfig): Promise<string> {
  const client = new Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    // Distributions append their own name: `18.4 (Debian 18.4-1)`.
    return rows[0]?.server_version.split(' ')[0] ?? 'unknown'
  } finally {
    await client.end().catch(() => {})
  }
}
