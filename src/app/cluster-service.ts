import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  createClusterServer,
  resolveClusterSettings,
} from '#cluster'
import { closeHttpServer } from '#kernel/http'
import { listen } from './listen.ts'
import type { Observers } from './observers.ts'
import { placesOf } from './places.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** The cluster's settings with everything in place that depends on where we run. */
export function clusterOptionsOf({ cluster, platform }: Settings): ClusterOptions {
  return resolveClusterSettings(cluster, { production: platform.environment === 'production' })
}

export interface ClusterService extends AsyncDisposable {
  readonly cluster: Cluster
  readonly url: string
}

/** Starts the cluster with its server: inside the platform, or alone. */
export async function startClusterService(
  settings: Settings,
  options: ClusterOptions,
  observers: Observers,
  graceLeftMs: () => number,
): Promise<ClusterService> {
  await using closing = new AsyncDisposableStack()
  const cluster = closing.use(createCluster({ settings: options, ...observers }))
  const server = await createClusterServer({
    cluster,
    settings: options,
    ...observers,
    trustedProxies: settings.platform.trustedProxies,
    version,
  })
  closing.defer(() => closeHttpServer(server, graceLeftMs()))
  const url = await listen(server, placesOf(settings).cluster)
  cluster.start()
  const opened = closing.move()
  return { cluster, url, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
