import { performance } from 'node:perf_hooks'
import { Agent, type Dispatcher, request } from 'undici'
import type { Logger } from '#kernel/telemetry'
import { type ClusterOverview, type ClusterView, parseClusterOverview } from './cluster-overview.ts'

export interface RemoteClusterOptions {
  readonly url: string
  readonly apiKey: string | undefined
  readonly log: Logger
  /** The timeout of a request to the service. */
  readonly timeoutMs: number
  /** How long a response, or a failure, is cached. */
  readonly freshMs: number
}

const maxResponseBytes = 16 * 1024 * 1024

/**
 * A cluster service in another process, requested on demand.
 *
 * | the service             | models                          | nodes                                   |
 * |-------------------------|---------------------------------|-----------------------------------------|
 * | responds                | from its response               | from its response                       |
 * | does not respond        | from its last response          | none, because their health is unknown   |
 * | has never responded     | none                            | none                                    |
 */
export function viewRemoteCluster(options: RemoteClusterOptions): ClusterView {
  const { url, log, freshMs } = options
  // The operator sets this address in a private network, which the guard for outbound requests would refuse, so this is
  // plain undici with its own bounds. Connections are not reused, so a request never meets a closed one.
  const agent = new Agent({ pipelining: 0, connections: 1, maxResponseSize: maxResponseBytes })
  let known: ClusterOverview = { models: [], nodes: [] }
  let problem: string | undefined
  let hasResponded = false
  let loadedAtMs = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined
  let closed = false

  async function load(): Promise<void> {
    try {
      known = await fetchOverview({ ...options, dispatcher: agent })
      if (problem !== undefined) log.info({ url }, 'the cluster service is reachable again')
      problem = undefined
      hasResponded = true
    } catch (error) {
      if (closed) return
      known = { models: known.models, nodes: [] }
      const reason = error instanceof Error ? error.message : String(error)
      // Logged when the problem starts or changes, not for every request.
      if (reason !== problem) log.warn({ url, reason }, 'the cluster service did not return its models')
      problem = reason
    }
    loadedAtMs = performance.now()
  }

  return {
    async read() {
      if (performance.now() - loadedAtMs >= freshMs) {
        loading ??= load().finally(() => {
          loading = undefined
        })
        await loading
      }
      return known
    },
    hasResponded: () => hasResponded,
    async [Symbol.asyncDispose]() {
      closed = true
      await agent.destroy()
      await loading
    },
  }
}

interface FetchOverviewOptions {
  readonly url: string
  readonly apiKey: string | undefined
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
}

/** Requests the overview of the cluster service. Throws an error that says why it failed. */
async function fetchOverview(options: FetchOverviewOptions): Promise<ClusterOverview> {
  const { url, apiKey, dispatcher, timeoutMs } = options
  const { statusCode, body } = await request(`${url}/api/cluster/status`, {
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      accept: 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
  }).catch((error: unknown) => explain(error, timeoutMs))
  const text = await body.text().catch((error: unknown) => explain(error, timeoutMs))
  if (statusCode === 401)
    throw new Error('it does not accept the key: CLUSTER_API_KEY must be the same on both sides')
  if (statusCode !== 200) throw new Error(`it responded with status ${statusCode}`)
  const overview = parseClusterOverview(parseJson(text))
  if (overview === undefined) throw new Error('the response is not from a cluster service')
  return overview
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function explain(error: unknown, timeoutMs: number): never {
  if (error instanceof Error && error.name === 'TimeoutError') {
    throw new Error(`it did not respond within ${timeoutMs / 1000} s`)
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  throw new Error(`it could not be reached (${code})`, { cause: error })
}
