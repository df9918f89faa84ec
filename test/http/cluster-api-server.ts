import type { Cluster } from '#cluster'
import type { StoredEvent } from '#kernel/events'
import { addAccount, addRole } from '../support/accounts.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { basic } from './identity-server.ts'

export interface ClusterApiOptions {
  /** The cluster in the same process, or the address of a cluster service. */
  readonly cluster: Cluster | string
  readonly apiKey?: string
  readonly timeoutMs?: number
}

interface Call {
  /** The headers of the caller; the operator's unless given. */
  readonly as?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A platform with people who have different permissions for its cluster. */
export interface ClusterApiServer extends PlatformInProcess {
  readonly people: Readonly<Record<'operator' | 'watcher' | 'guest', Person>>
  send(method: string, path: string, call?: Call): Promise<Response>
  /** The events of operators, the oldest first. */
  operations(): Promise<readonly StoredEvent[]>
}

interface Person {
  readonly id: string
  readonly credentials: { readonly username: string; readonly password: string }
  readonly headers: Readonly<Record<string, string>>
}

const permissionsOf = { operator: ['administer cluster'], watcher: ['administer llm'], guest: [] }

export async function startClusterApiServer({
  cluster,
  apiKey,
  timeoutMs,
}: ClusterApiOptions): Promise<ClusterApiServer> {
  const remote = typeof cluster === 'string' ? new URL(cluster) : undefined
  const platform = await openPlatform(
    {
      ...(remote && { RUNTIME_CLUSTER_HOST: remote.hostname, RUNTIME_CLUSTER_PORT: remote.port }),
      ...(apiKey !== undefined && { CLUSTER_API_KEY: apiKey }),
    },
    {
      role: 'api',
      seed: false,
      clusterService: typeof cluster === 'string' ? 'remote' : { cluster, url: '', apiKey },
      ...(timeoutMs !== undefined && { clusterApi: { timeoutMs } }),
    },
  )
  const { url, database, events } = platform
  const people = {
    operator: await addPerson(database, 'operator'),
    watcher: await addPerson(database, 'watcher'),
    guest: await addPerson(database, 'guest'),
  }
  return {
    ...platform,
    people,
    send: (method, path, { as = people.operator.headers, body } = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: { ...as, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async operations() {
      const stored = await events.readNewest({ limit: 100 })
      return stored.filter(({ type }) => type.startsWith('cluster.'))
    },
  }
}

async function addPerson(database: TestDatabase, name: keyof typeof permissionsOf): Promise<Person> {
  const credentials = { username: name, password: `the baton of the ${name}` }
  await addRole(database, `is_${name}`, permissionsOf[name])
  const id = await addAccount(database, { ...credentials, roles: [`is_${name}`] })
  return { id, credentials, headers: basic(credentials.username, credentials.password) }
}
