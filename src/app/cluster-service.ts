import { randomBytes } from 'node:crypto'
import {
  type Cluster,
  type ClusterOptions,
  type CreateClusterOptions,
  createCluster,
  createClusterServer,
  createPlatformAccounts,
  type MeterRequest,
  resolveClusterSettings,
} from '#cluster'
import type { Identity } from '#identity'
import { closeHttpServer } from '#kernel/http'
import type { Limiter } from '#kernel/limits'
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

export interface ClusterService extends AsyncDisposable {
  readonly cluster: Cluster
  readonly url: string
  /** The key this process uses at its own service, where callers have to authenticate. */
  readonly apiKey: string | undefined
}

/** The parts of a platform in the same process that the cluster service uses. */
interface PlatformParts {
  readonly identity?: Pick<Identity, 'authenticate'>
  readonly onTraffic?: CreateClusterOptions['onTraffic']
  readonly limiter?: Limiter
  /** Charges requests of accounts. */
  readonly meter?: MeterRequest
}

/** Starts the cluster and its server, inside a platform whose identity authenticates callers, or alone. */
export async function startClusterService(
  settings: Settings,
  options: ClusterOptions,
  telemetry: Telemetry,
  timeLeftMs: () => number,
  { identity, onTraffic, limiter, meter }: PlatformParts = {},
): Promise<ClusterService> {
  await using closing = new AsyncDisposableStack()
  const { platformUrl } = options
  const remoteAccounts =
    platformUrl === undefined
      ? undefined
      : closing.use(createPlatformAccounts({ url: platformUrl, log: telemetry.log }))
  const cluster = closing.use(createCluster({ settings: options, ...telemetry, onTraffic }))
  // Where callers have to authenticate and the operator set no key, the platform needs one of its own to use its cluster.
  const apiKey = options.apiKey ?? (options.mustSayWho ? randomBytes(32).toString('base64url') : undefined)
  const server = await createClusterServer({
    cluster,
    settings: { ...options, apiKey },
    ...telemetry,
    identify: identity?.authenticate ?? remoteAccounts?.identify,
    trustedProxies: settings.platform.trustedProxies,
    limiter,
    meter,
    version,
  })
  closing.defer(() => closeHttpServer(server, timeLeftMs()))
  const url = await listen(server, listenAddressesOf(settings).cluster)
  cluster.start()
  const opened = closing.move()
  return { cluster, url, apiKey, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
