import {
  addOpenApiRoutes,
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  nobody,
  registerInterface,
} from '#kernel/http'
import { accessFor, createKeyCheck } from './api-key.ts'
import type { Cluster } from './cluster.ts'
import { clusterInterface } from './interface.ts'
import { addEventRoutes } from './routes/events.ts'
import { addServiceHealthRoutes } from './routes/health.ts'
import { addNodeRoutes } from './routes/nodes.ts'
import type { ClusterOptions } from './settings.ts'

export interface ClusterServerOptions
  extends Pick<HttpServerOptions, 'log' | 'metrics' | 'tracing' | 'version'> {
  readonly cluster: Cluster
  readonly settings: Pick<ClusterOptions, 'apiKey'>
  readonly trustedProxies?: readonly string[]
}

/** Builds the service's HTTP server without listening. Starting and stopping the cluster stays with the caller. */
export async function createClusterServer(options: ClusterServerOptions): Promise<HttpServer> {
  const { cluster, settings, version, trustedProxies = [] } = options
  const checkKey = createKeyCheck(settings.apiKey)
  const app = await createHttpServer({
    log: options.log,
    metrics: options.metrics,
    tracing: options.tracing,
    trustedProxies,
    version,
    fallbackInterface: clusterInterface,
    anonymous: nobody,
    authenticate: async ({ headers }) => checkKey(headers),
  })
  const access = accessFor(settings.apiKey)
  await registerInterface(app, clusterInterface, (routes) => {
    addServiceHealthRoutes(routes, { cluster, version })
    addNodeRoutes(routes, { cluster, access })
    addEventRoutes(routes, { cluster, access })
    addOpenApiRoutes(routes)
  })
  return app
}
