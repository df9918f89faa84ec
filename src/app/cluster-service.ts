import { randomBytes } from 'node:crypto'
import {
  type Cluster,
  type ClusterOptions,
  type CreateClusterOptions,
  createCluster,
  createClusterServer,
  createPlatformAccounts,
  type LimitCounts,
  type MeterRequest,
  type OperatorStore,
  resolveClusterSettings,
} from '#cluster'
import type { Identity } from '#identity'
import { closeHttpServer } from '#kernel/http'
import { listen, listenAddressesOf } from './listen.ts'
import type { Settings } from './settings.ts'
import type { Telemetry } from './telemetry.ts'
import { version } from './version.ts'

/** The settings of the cluster, completed for where it runs: inside the platform, or as a service of its own. */
export function clusterOptionsOf(
  { cluster, platform }: Settings,
  { alone = false }: { readonly alone?: boolean } = {},
): ClusterOptions {
  const production = platform.environment === 'production'
  return resolveClusterSettings(cluster, { production, knowsAccounts: !alone })
}

/** A key for the requests of the platform to its own cluster service. */
export function createClusterKey(): string {
  return randomBytes(32).toString('base64url')
}

export interface ClusterService extends AsyncDisposable {
  readonly cluster: Cluster
  readonly url: string
  /** The key this process uses at its own service, where callers have to authenticate. */
  readonly apiKey: string | undefined
}

/** The parts that the cluster service uses. Most of them come from a platform in the same process. */
interface PlatformParts {
  /** Keeps the changes of operators. */
  readonly store: OperatorStore
  readonly identity?: Pick<Identity, 'authenticate' | 'tiers'>
  readonly onTraffic?: CreateClusterOptions['onTraffic']
  /** Default: counts of this process alone. */
  readonly limiter?: LimitCounts
  /** Charges requests of accounts. */
  readonly meter?: MeterRequest
  /** The key that the processes of one `tutti serve` use at each other's service. Default: one of this process alone. */
  readonly ownKey?: string | undefined
  /** How long requests on open connections are served before the server closes. Default: 0. */
  readonly drainMs?: number
}

/** Starts the cluster and its server, inside a platform whose identity authenticates callers, or alone. */
export async function startClusterService(
  settings: Settings,
  options: ClusterOptions,
  telemetry: Telemetry,
  timeLeftMs: () => number,
  { store, identity, onTraffic, limiter, meter, ownKey, drainMs }: PlatformParts,
): Promise<ClusterService> {
  await using closing = new AsyncDisposableStack()
  const { platformUrl } = options
  const remoteAccounts =
    platformUrl === undefined
      ? undefined
      : closing.use(createPlatformAccounts({ url: platformUrl, log: telemetry.log }))
  const cluster = closing.use(createCluster({ settings: options, ...telemetry, onTraffic, store }))
  await cluster.restore()
  // Where callers have to authenticate and the operator set no key, the platform needs one of its own to use its cluster.
  const apiKey = options.apiKey ?? (options.mustSayWho ? (ownKey ?? createClusterKey()) : undefined)
  const server = await createClusterServer({
    cluster,
    settings: { ...options, apiKey },
    ...telemetry,
    identify: identity?.authenticate ?? remoteAccounts?.identify,
    trustedProxies: settings.platform.trustedProxies,
    loopDelayLimitMs: settings.platform.loopDelayLimitMs,
    limiter,
    accountRate: identity?.tiers.requestsPerHour,
    meter,
    version,
  })
  closing.defer(() => closeHttpServer(server, timeLeftMs(), drainMs))
  const url = await listen(server, listenAddressesOf(settings).cluster)
  cluster.start()
  const opened = closing.move()
  return { cluster, url, apiKey, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
