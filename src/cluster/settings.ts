import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'
import { UserError } from '#kernel/errors'
import { type StrategyName, strategyNames } from './balancing/strategies.ts'
import type { KubernetesSettings } from './kubernetes/api.ts'
import { localAddress, type NodeAddress, nodeId, parseNodeEntry } from './nodes/node-address.ts'
import { isLoopback } from './own-host.ts'

const developmentIntervalMs = 30_000
const productionIntervalMs = 15_000
const developmentRetries = 3
const productionRetries = 5

/** The settings of the cluster service. */
export const clusterSettings = defineSettings({
  port: setting.port('CLUSTER_PORT', { about: 'Port of the cluster service', default: 3001 }),
  host: setting.text('CLUSTER_HOST', {
    about:
      'Address the cluster service listens on; on any but a loopback address callers must say who they are',
    default: '127.0.0.1',
  }),
  apiKey: setting.secretText('CLUSTER_API_KEY', {
    about: 'Key of the cluster service, sent as Bearer or X-API-Key; it has all permissions',
    optional: true,
  }),
  platformUrl: refineSetting(
    setting.url('CLUSTER_PLATFORM_URL', ['https:', 'http:'], {
      about:
        'Address of the platform whose accounts may use the cluster; for `tutti cluster`, since `tutti serve` knows them itself',
      optional: true,
    }),
    (url) => (url === undefined ? undefined : readPlatformUrl(url)),
  ),
  nodes: refineSetting(
    setting.list('CLUSTER_NODES', {
      about:
        'Model nodes, comma-separated: an address such as http://gpu1:11434, with =2 behind it for a weight, and vllm+ before it for a runtime that is not recognised',
      default: [],
    }),
    readNodes,
  ),
  discoveryPorts: refineSetting(
    setting.list('DISCOVERY_PORTS', {
      about: 'Ports of this machine where a model node may appear; empty for none',
      default: ['11434', '11435', '11436', '11437'],
    }),
    readPorts,
  ),
  healthCheckIntervalMs: {
    ...setting.durationMs('HEALTH_CHECK_INTERVAL', {
      about: 'Time between two probes of a node',
      optional: true,
      min: 10,
      max: 86_400_000,
    }),
    defaultText: `${developmentIntervalMs / 1000}s, or ${productionIntervalMs / 1000}s with NODE_ENV=production`,
  },
  kubernetesDiscovery: setting.flag('KUBERNETES_DISCOVERY', {
    about: 'Whether the pods behind KUBERNETES_NODE_SERVICE are model nodes',
    default: false,
  }),
  kubernetesService: refineSetting(
    setting.text('KUBERNETES_NODE_SERVICE', {
      about: 'Headless Kubernetes service whose pods are model nodes',
      default: 'model-nodes',
    }),
    readLabel,
  ),
  kubernetesNamespace: refineSetting(
    setting.text('KUBERNETES_NODE_NAMESPACE', {
      about: 'Namespace of KUBERNETES_NODE_SERVICE; the one this pod is in when not set',
      optional: true,
    }),
    (name) => (name === undefined ? undefined : readLabel(name)),
  ),
  kubernetesApi: setting.url('KUBERNETES_API', ['https:', 'http:'], {
    about: 'Address of the Kubernetes API',
    default: 'https://kubernetes.default.svc',
  }),
  kubernetesAccountDir: setting.text('KUBERNETES_SERVICE_ACCOUNT', {
    about: 'Folder with the token, namespace and ca.crt of the service account',
    default: '/var/run/secrets/kubernetes.io/serviceaccount',
  }),
  strategy: setting.choice('CLUSTER_STRATEGY', strategyNames, {
    about: 'How a node is chosen, until an operator or a request says otherwise',
    default: 'round-robin',
  }),
  stateFile: {
    ...setting.text('CLUSTER_STATE_FILE', {
      about:
        'File in which `tutti cluster` keeps what operators change: nodes, weights, drains and the strategy; processes with the same file follow it, and `tutti serve` keeps it in its database',
      optional: true,
    }),
    defaultText: 'cluster.json in TUTTI_DATA_DIR',
  },
  maxRetries: {
    ...setting.integer('CLUSTER_MAX_RETRIES', {
      about:
        'Further nodes for a request after nodes that failed it; a node that refuses the connection or lacks the model does not count',
      optional: true,
      max: 100,
    }),
    defaultText: `${developmentRetries}, or ${productionRetries} with NODE_ENV=production`,
  },
  firstByteMs: setting.durationMs('CLUSTER_FIRST_BYTE_TIMEOUT', {
    about: 'How long a node may take to begin an answer; loading a large model takes minutes',
    default: 600_000,
    min: 1,
  }),
  stallMs: setting.durationMs('CLUSTER_STALL_TIMEOUT', {
    about:
      'How long a response may make no progress (a line of a stream, a KiB of any other), and how long a caller may read nothing',
    default: 120_000,
    min: 1,
  }),
  continueStreams: setting.flag('CLUSTER_CONTINUE_STREAMS', {
    about:
      'Whether another node continues a stream of /api/chat, /api/generate, /v1/chat/completions or /v1/completions when its node fails, unless the request says otherwise (X-Cluster-Continue)',
    default: false,
  }),
  nodeConcurrency: setting.integer('CLUSTER_NODE_CONCURRENCY', {
    about:
      'Requests a node works on at once, fewer if it reports fewer; more than that wait in the queue of their model',
    default: 64,
    min: 1,
    max: 100_000,
  }),
  loadedLimit: setting.integer('CLUSTER_LOADED_LIMIT', {
    about:
      'Running requests, per weight, of a node with the model in memory, from which nodes without it get requests as well',
    default: 8,
    min: 1,
    max: 100_000,
  }),
  queueLimit: setting.integer('CLUSTER_QUEUE_LIMIT', {
    about: 'Requests that may wait for one model; more than that are refused with 503',
    default: 512,
    max: 100_000,
  }),
  queueWaitMs: setting.durationMs('CLUSTER_QUEUE_TIMEOUT', {
    about: 'How long a request may wait in the queue',
    default: 300_000,
    min: 1,
  }),
  bodyLimitBytes: setting.integer('CLUSTER_BODY_LIMIT', {
    about: 'Largest request body in bytes; pictures for a model may need more',
    default: 1_048_576,
    min: 1024,
    max: 268_435_456,
  }),
  sessionHeader: refineSetting(
    setting.text('CLUSTER_SESSION_HEADER', {
      about: 'Header whose value keeps the requests of a session on one node',
      default: 'x-session-id',
    }),
    readHeaderName,
  ),
})

export type ClusterSettings = SettingsOf<typeof clusterSettings>

/** The validated settings with all defaults. */
export interface ClusterOptions {
  readonly host: string
  readonly port: number
  readonly apiKey: string | undefined
  /** Address of the platform with the accounts; undefined when the accounts are in this process or there are none. */
  readonly platformUrl: string | undefined
  /** Whether callers must authenticate; otherwise the service is open, but only to this machine. */
  readonly mustSayWho: boolean
  /** Configured nodes first, then the ports of this machine that are checked for nodes. */
  readonly addresses: readonly NodeAddress[]
  readonly intervalMs: number
  /** Undefined without discovery of pods. */
  readonly kubernetes: KubernetesSettings | undefined
  readonly requests: RequestRules
}

/** Limits of requests to nodes. */
export interface RequestRules {
  readonly strategy: StrategyName
  readonly maxRetries: number
  readonly firstByteMs: number
  readonly stallMs: number
  readonly continueStreams: boolean
  readonly nodeConcurrency: number
  readonly loadedLimit: number
  readonly queueLimit: number
  readonly queueWaitMs: number
  readonly bodyLimitBytes: number
  readonly sessionHeader: string
}

interface WhereWeRun {
  readonly production: boolean
  /** The accounts of the platform are in this process. */
  readonly knowsAccounts?: boolean
}

/** Validates the settings together and fills in the defaults of the environment. Throws for contradictions. */
export function resolveClusterSettings(
  settings: ClusterSettings,
  { production, knowsAccounts = false }: WhereWeRun,
): ClusterOptions {
  const { host, port, apiKey, nodes, discoveryPorts, healthCheckIntervalMs } = settings
  const platformUrl = knowsAccounts ? undefined : settings.platformUrl
  const mustSayWho = apiKey !== undefined || platformUrl !== undefined || !isLoopback(host)
  if (mustSayWho && apiKey === undefined && platformUrl === undefined && !knowsAccounts) {
    throw new UserError(
      `CLUSTER_HOST is ${host}, which other machines can reach: set CLUSTER_API_KEY or CLUSTER_PLATFORM_URL as well, or listen on 127.0.0.1`,
    )
  }
  // A cluster that is its own node would forward its requests to itself without end.
  const ownId = nodeId(localAddress(port).url)
  const itself = nodes.find(({ url }) => nodeId(url) === ownId)
  if (itself !== undefined) {
    throw new UserError(
      `CLUSTER_NODES has ${itself.url}, which is the cluster service itself (CLUSTER_PORT ${port})`,
    )
  }
  const taken = new Set([ownId, ...nodes.map(({ url }) => nodeId(url))])
  const discovered = discoveryPorts.map(localAddress).filter(({ url }) => !taken.has(nodeId(url)))
  return {
    host,
    port,
    apiKey,
    platformUrl,
    mustSayWho,
    addresses: [...nodes, ...discovered],
    intervalMs: healthCheckIntervalMs ?? (production ? productionIntervalMs : developmentIntervalMs),
    kubernetes: settings.kubernetesDiscovery ? kubernetesOf(settings) : undefined,
    requests: requestRulesOf(settings, production ? productionRetries : developmentRetries),
  }
}

function kubernetesOf(settings: ClusterSettings): KubernetesSettings {
  return {
    api: settings.kubernetesApi.replace(/\/+$/, ''),
    service: settings.kubernetesService,
    namespace: settings.kubernetesNamespace,
    accountDir: settings.kubernetesAccountDir,
  }
}

function requestRulesOf(settings: ClusterSettings, usualRetries: number): RequestRules {
  return {
    strategy: settings.strategy,
    maxRetries: settings.maxRetries ?? usualRetries,
    firstByteMs: settings.firstByteMs,
    stallMs: settings.stallMs,
    continueStreams: settings.continueStreams,
    nodeConcurrency: settings.nodeConcurrency,
    loadedLimit: settings.loadedLimit,
    queueLimit: settings.queueLimit,
    queueWaitMs: settings.queueWaitMs,
    bodyLimitBytes: settings.bodyLimitBytes,
    sessionHeader: settings.sessionHeader,
  }
}

function readNodes(entries: readonly string[]): readonly NodeAddress[] {
  const nodes = entries.map(parseNodeEntry)
  const ids = nodes.map(({ url }) => nodeId(url))
  const repeated = nodes.find((_node, index) => ids.indexOf(ids[index] ?? '') !== index)
  if (repeated !== undefined) throw new Error(`has ${repeated.url} twice`)
  return nodes
}

function readPorts(entries: readonly string[]): readonly number[] {
  const ports = entries.map((entry) => {
    const port = Number(entry)
    if (!/^\d+$/.test(entry) || port < 1 || port > 65_535) {
      throw new Error(`has "${entry}", which is not a port from 1 to 65535`)
    }
    return port
  })
  return [...new Set(ports)]
}

function readLabel(name: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return name
  throw new Error(`must be a name of lower-case letters, digits and hyphens, not "${name}"`)
}

function readPlatformUrl(address: string): string {
  const { origin, pathname, username, password, search, hash } = new URL(address)
  if (username !== '' || password !== '') throw new Error('must not carry a user name or password')
  if (search !== '' || hash !== '') throw new Error('must end before any "?" or "#"')
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

function readHeaderName(name: string): string {
  if (!/^[\w-]{1,64}$/.test(name)) throw new Error(`must be the name of a header, not "${name}"`)
  return name.toLowerCase()
}
