import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'

/** When keys and clients were last used, written every few seconds and all at once: a request never waits for it. */
export interface LastUses extends AsyncDisposable {
  ofApiKey(id: string): void
  ofClient(clientId: string): void
  flush(): Promise<void>
}

const flushEveryMs = 5000

const apiKeyStatement = `
  update identity_api_keys as key set last_used_at = greatest(key.last_used_at, used.at)
  from unnest($1::uuid[], $2::timestamptz[]) as used (id, at)
  where key.id = used.id
`

const clientStatement = `
  update identity_oauth_clients as client set last_used_at = greatest(client.last_used_at, used.at)
  from unnest($1::text[], $2::timestamptz[]) as used (id, at)
  where client.client_id = used.id
`

export function createLastUses({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Logger
}): LastUses {
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

  // Lost uses are no harm: the next request notes a later one.
  const tell = (error: unknown) => log.debug({ err: error }, 'could not note when keys were last used')
  const timer = setInterval(() => void flush().catch(tell), flushEveryMs).unref()

  return {
    ofApiKey: (id) => void apiKeys.set(id, new Date()),
    ofClient: (clientId) => void clients.set(clientId, new Date()),
    flush,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await flush().catch(tell)
    },
  }
}
