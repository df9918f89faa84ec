import type { Cluster } from '#cluster'
import { createLogger } from '#kernel/telemetry'
import { addAccountWithKey } from '../support/accounts.ts'
import { openPlatform } from '../support/platform.ts'

export interface ListedModel {
  readonly id: string
  readonly object: string
  readonly created: number | null
  readonly owned_by: string
  readonly provider: string
  readonly loaded: boolean
  readonly nodes: readonly string[]
  readonly size: number | null
  readonly capabilities: readonly string[]
}

export interface ModelsServer extends AsyncDisposable {
  readonly url: string
  /** The headers of an account. */
  readonly headers: Readonly<Record<string, string>>
  /** The log lines about the cluster, from `info` on. */
  readonly logged: readonly string[]
  /** The models of the cluster, as the API lists them. */
  list(): Promise<readonly ListedModel[]>
}

export interface ModelsServerOptions {
  /** The cluster in the same process, or the address of a cluster service. */
  readonly cluster: Cluster | string
  /** The address of the service of a cluster in the same process. */
  readonly url?: string
  readonly clusterApiKey?: string
  readonly timeoutMs?: number
  readonly freshMs?: number
}

/** A platform that uses this cluster. A remote cluster is asked anew for each list, unless `freshMs` is given. */
export async function startModelsServer(options: ModelsServerOptions): Promise<ModelsServer> {
  const { cluster, clusterApiKey, freshMs = 0, url = 'http://127.0.0.1:9' } = options
  // A remote service on a busy machine may take long.
  const { timeoutMs = typeof cluster === 'string' ? 60_000 : 5000 } = options
  const logged: string[] = []
  const destination = {
    write(line: string) {
      if (line.includes('cluster')) logged.push(line)
    },
  }
  const remote = typeof cluster === 'string' ? new URL(cluster) : undefined
  const platform = await openPlatform(
    {
      ...(remote && { RUNTIME_CLUSTER_HOST: remote.hostname, RUNTIME_CLUSTER_PORT: remote.port }),
      ...(clusterApiKey !== undefined && { CLUSTER_API_KEY: clusterApiKey }),
      // Nothing listens there: only the cluster has models.
      RUNTIME_NODE_URL: 'http://127.0.0.1:9',
    },
    {
      role: 'api',
      seed: false,
      log: createLogger({ level: 'info', format: 'json', destination }),
      models: { timeoutMs, freshMs },
      clusterService: typeof cluster === 'string' ? 'remote' : { cluster, url, apiKey: undefined },
    },
  )
  const { key } = await addAccountWithKey(platform.database)
  const headers = { authorization: `Bearer ${key}` }
  return {
    url: platform.url,
    headers,
    logged,
    async list() {
      const answer = await fetch(`${platform.url}/api/v1/models`, { headers })
      if (answer.status !== 200) throw new Error(`status ${answer.status}: ${await answer.text()}`)
      const { data } = (await answer.json()) as { data: readonly ListedModel[] }
      return data.filter(({ provider }) => provider === 'ollama')
    },
    [Symbol.asyncDispose]: () => platform.close(),
  }
}
