import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, type Connector, isConnectionLost } from '#kernel/postgres'
import { copyIn, copyOut } from './copy.ts'
import type { Session } from './database.ts'
import { databaseUnavailable, translateConnectionError } from './database-errors.ts'

/** Opens one connection outside the pool and closes it when `work` has ended. */
export async function withSession<Result>(
  connector: Connector,
  connectWaitMs: number,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const connection = await connectWithRetry(connector, connectWaitMs)
  const { client } = connection
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
      async *copyOut(statement) {
        try {
          yield* copyOut(client, statement)
        } catch (error) {
          throw translateConnectionError(error)
        }
      },
      async copyIn(statement, chunks) {
        try {
          return await copyIn(client, statement, chunks)
        } catch (error) {
          throw translateConnectionError(error)
        }
      },
    })
  } finally {
    await connection.close()
  }
}

async function connectWithRetry(connector: Connector, connectWaitMs: number): Promise<Connection> {
  const deadline = performance.now() + Math.max(1000, connectWaitMs)
  for (;;) {
    try {
      return await connector.open(deadline)
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() + 100 >= deadline) throw databaseUnavailable(error)
    }
    await delay(100)
  }
}
