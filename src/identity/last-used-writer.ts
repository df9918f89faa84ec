import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'

/** Writes `last_used_at` of API keys and clients in batches every 5 seconds, so that no request waits for the write. */
export interface LastUsedWriter extends AsyncDisposable {
  touchApiKey(id: string): void
  touchClient(clientId: string): void
  flush(): Promise<void>
}

const flushEveryMs = 5000

/** Replicas write the same rows: each locks them in the order of their ids, so that no two of them deadlock. */
const apiKeyStatement = `
  with used as materialized (
    select key.id, used.at
    from identity_api_keys as key join unnest($1::uuid[], $2::timestamptz[]) as used (id, at) on used.id = key.id
    order by key.id
    for no key update of key
  )
  update identity_api_keys as key set last_used_at = greatest(key.last_used_at, used.at)
  from used where key.id = used.id
`

const clientStatement = `
  with used as materialized (
    select client.client_id, used.at
    from identity_oauth_clients as client join unnest($1::text[], $2::timestamptz[]) as used (id, at) on used.id = client.client_id
    order by client.client_id
    for no key update of client
  )
  update identity_oauth_clients as client set last_used_at = greatest(client.last_used_at, used.at)
  from used where client.client_id = used.client_id
`

export function createLastUsedWriter({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Logger
}): LastUsedWriter {
  let apiKeys = new Map<string, Date>()
  let clients = new Map<string, Date>()

  async function write(statement: string, uses: ReadonlyMap<string, Date>): Promise<void> {
    if (uses.size > 0) await database.query(statement, [[...uses.keys()], [...uses.values()]])
  }

  async function flush(): Promise<void> {
    const [usedKeys, usedClients] = [apiKeys, clients]
    apiKeys = new Map()
    clients = new Map()
    await write(apiKeyStatement, usedKeys)
    await write(clientStatement, usedClients)
  }

  // A lost update is harmless: the next request of the key or client writes a later time.
  const logFailure = (error: unknown) =>
    log.debug({ err: error }, 'could not update last_used_at of API keys and clients')
  const timer = setInterval(() => void flush().catch(logFailure), flushEveryMs).unref()

  return {
    touchApiKey: (id) => void apiKeys.set(id, new Date()),
    touchClient: (clientId) => void clients.set(clientId, new Date()),
    flush,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await flush().catch(logFailure)
    },
  }
}
