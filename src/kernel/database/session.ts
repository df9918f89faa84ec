import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { databaseUnavailable, isConnectionLost, translateConnectionError } from './connection-errors.ts'
import type { Session } from './database.ts'

/** Opens one connection beside the pool, without time limits, and closes it when `work` is done. */
export async function withSession<Result>(
  connection: ClientConfig,
  connectWaitMs: number,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const client = await connectPatiently(withoutLimits(connection), connectWaitMs)
  try {
    return await work({
      async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
        try {
          const result = await (values === undefined
            ? client.query(text)
            : client.query(text, values as unknown[]))
          return result.rows as Row[]
        } catch (error) {
          throw translateConnectionError(error)
        }
      },
    })
  } finally {
    await client.end().catch(() => {})
  }
}

function withoutLimits(connection: ClientConfig): ClientConfig {
  return {
    ...connection,
    statement_timeout: 0,
    query_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  }
}

async function connectPatiently(config: ClientConfig, connectWaitMs: number): Promise<Client> {
  const deadline = Date.now() + connectWaitMs
  for (;;) {
    const client = new Client({ ...config, connectionTimeoutMillis: Math.max(1000, connectWaitMs) })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      if (!isConnectionLost(error) || Date.now() >= deadline) throw databaseUnavailable(error)
    }
    await delay(100)
  }
}
