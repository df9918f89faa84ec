import { randomBytes } from 'node:crypto'
import {
  type Cluster,
  type ClusterOptions,
  type CreateClusterOptions,
  createCluster,
  createClusterServer,
  createPlatformAccounts,
  resolveClusterSettings,
} from '#cluster'
import type { Identity } from '#identity'
import { closeHttpServer } from '#kernel/http'
import { listen } from './listen.ts'
import type { Observers } from './observers.ts'
import { placesOf } from './places.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** The cluster's settings with everything in place that depends on where we run: inside the platform, unless told otherwise. */
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
  /** What this process shows its own service, where callers have to say who they are. */
  readonly apiKey: string | undefined
}

/** What the cluster service uses of a platform in the same process. */
interface PlatformParts {
  readonly identity?: Pick<Identity, 'authenticate'>
  readonly onTraffic?: CreateClusterOptions['onTraffic']
}

/** Starts the cluster with its server: inside the platform, whose identity it asks who is calling, or alone. */
export async function startClusterService(
  settings: Settings,
  options: ClusterOptions,
  observers: Observers,
  graceLeftMs: () => number,
  { identity, onTraffic }: PlatformParts = {},
): Promise<ClusterService> {
  await using closing = new AsyncDisposableStack()
  const { platformUrl } = options
  const elsewhere =
    platformUrl === undefined
      ? undefined
      : closing.use(createPlatformAccounts({ url: platformUrl, log: observers.log }))
  const cluster = closing.use(createCluster({ settings: options, ...observers, onTraffic }))
  // Without a key of the operator's own the platform would be a stranger to its cluster: then it has one of its own making.
  const apiKey = options.apiKey ?? (options.mustSayWho ? randomBytes(32).toString('base64url') : undefined)
  const server = await createClusterServer({
    cluster,
    settings: { ...options, apiKey },
    ...observers,
    identify: identity?.authenticate ?? elsewhere?.identify,
    trustedProxies: settings.platform.trustedProxies,
    version,
  })
  closing.defer(() => closeHttpServer(server, graceLeftMs()))
  const url = await listen(server, placesOf(settings).cluster)
  cluster.start()
  const opened = closing.move()
  return { cluster, url, apiKey, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
