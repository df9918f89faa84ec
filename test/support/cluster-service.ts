import type { AddressInfo } from 'node:net'
import {
  type Cluster,
  type ClusterServerOptions,
  clusterSettings,
  createCluster,
  createClusterServer,
  type NodeRecord,
  type OperatorStore,
  resolveClusterSettings,
} from '#cluster'
import { readSettings } from '#kernel/config'
import { closeHttpServer } from '#kernel/http'
import { createLogger, createMetrics, type Metrics, startTracing } from '#kernel/telemetry'
import { loopDelayLimitMs } from './loop-delay-limit.ts'
import { patience } from './patience.ts'

export interface TestClusterOptions {
  /** Environment variables; by default there are no nodes, and probes run every 50 ms. */
  readonly environment?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly podsWaitMs?: number
  /** Keeps the changes of operators. Default: in memory. */
  readonly store?: OperatorStore
  /** Receives log lines of level `info` and above. */
  readonly logged?: string[]
  /** The authenticator with the accounts of a platform. */
  readonly identify?: ClusterServerOptions['identify']
}

export interface TestCluster extends AsyncDisposable {
  readonly cluster: Cluster
  readonly metrics: Metrics
}

const log = createLogger({ level: 'silent', format: 'json' })

function createLogInto(lines: string[]) {
  const destination = { write: (line: string) => void lines.push(line) }
  return createLogger({ level: 'info', format: 'json', destination })
}

function settingsFrom(environment: Readonly<Record<string, string>> = {}) {
  const whole = { HEALTH_CHECK_INTERVAL: '50', DISCOVERY_PORTS: '', CLUSTER_PORT: '0', ...environment }
  return resolveClusterSettings(readSettings(clusterSettings, whole), { production: false })
}

/** Starts watching nodes, without HTTP. */
export function startCluster(options: TestClusterOptions = {}): TestCluster {
  const { environment, timeoutMs = 2000, podsWaitMs, logged, store } = options
  const metrics = createMetrics({ watchProcess: false })
  const cluster = createCluster({
    settings: settingsFrom(environment),
    log: logged === undefined ? log : createLogInto(logged),
    metrics,
    timeoutMs,
    store,
    ...(podsWaitMs !== undefined && { podsWaitMs }),
  })
  cluster.start()
  return { cluster, metrics, [Symbol.asyncDispose]: () => cluster.stop() }
}

interface PostOptions extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestClusterService extends TestCluster {
  readonly url: string
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** Sends JSON, unless the body is a text already. */
  post(path: string, body: unknown, options?: PostOptions): Promise<Response>
  close(graceMs?: number): Promise<void>
}

/** Starts the whole service on a free port. */
export async function startClusterService(options: TestClusterOptions = {}): Promise<TestClusterService> {
  const settings = settingsFrom(options.environment)
  const watching = startCluster(options)
  const { cluster, metrics } = watching
  if (options.store !== undefined) await cluster.restore()
  const tracing = await startTracing({ endpoint: undefined, serviceName: 'test', version: '1.2.3', log })
  const server = await createClusterServer({
    loopDelayLimitMs,
    cluster,
    settings,
    identify: options.identify,
    log: options.logged === undefined ? log : createLogInto(options.logged),
    metrics,
    tracing,
    version: '1.2.3',
    // So that a test can call from another address.
    trustedProxies: ['127.0.0.1'],
  })
  await server.listen({ host: settings.host, port: settings.port })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const close = async (graceMs = 1000) => {
    await closeHttpServer(server, graceMs)
    await cluster.stop()
  }
  return {
    cluster,
    metrics,
    url,
    close,
    get: (path, headers = {}) => fetch(`${url}${path}`, { headers }),
    post: (path, body, more = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...more,
        headers: { 'content-type': 'application/json', ...more.headers },
      }),
    [Symbol.asyncDispose]: () => close(),
  }
}

/** Starts the whole service for these nodes and waits until all of them are healthy. */
export async function startServiceFor(
  nodes: readonly { readonly url: string }[],
  environment: Readonly<Record<string, string>> = {},
  // Healthy nodes on a busy machine are slow at first, and a test with rare probes has no second chance.
  { timeoutMs = 45_000, ...more }: Pick<TestClusterOptions, 'identify' | 'timeoutMs'> = {},
): Promise<TestClusterService> {
  const urls = nodes.map(({ url }) => url).join(',')
  const service = await startClusterService({
    environment: { CLUSTER_NODES: urls, ...environment },
    timeoutMs,
    ...more,
  })
  await waitForNodes(service.cluster, (records) => records.every(({ status }) => status === 'healthy'))
  return service
}

const patienceMs = 30_000 * patience

/** Waits until the condition holds for the nodes, and returns them. */
export async function waitForNodes(
  cluster: Cluster,
  wanted: (nodes: readonly NodeRecord[]) => boolean,
): Promise<readonly NodeRecord[]> {
  const news = cluster.follow(AbortSignal.timeout(patienceMs))[Symbol.asyncIterator]()
  try {
    while ((await news.next()).done !== true) {
      const nodes = cluster.nodes()
      if (wanted(nodes)) return nodes
    }
  } finally {
    await news.return?.()
  }
  throw new Error(`the nodes did not become as expected: ${JSON.stringify(cluster.nodes())}`)
}

/** Waits until the first node has this status, and returns it. */
export async function waitForStatus(cluster: Cluster, status: NodeRecord['status']): Promise<NodeRecord> {
  const [node] = await waitForNodes(cluster, ([first]) => first?.status === status)
  if (node === undefined) throw new Error('there is no node')
  return node
}
