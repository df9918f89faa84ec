import type { IncomingMessage } from 'node:http'
import {
  addOpenApiRoutes,
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  nobody,
  registerInterface,
} from '#kernel/http'
import { accessFor, createKeyCheck, createKeyGuard } from './api-key.ts'
import type { Cluster } from './cluster.ts'
import { createDataPath, type DataPath } from './data-path/data-path.ts'
import { isPassedOn, pathOf } from './data-path/runtime-paths.ts'
import { clusterFailure } from './errors.ts'
import { clusterInterface, compatibleInterface, runtimeInterface } from './interface.ts'
import { requireOwnHost } from './own-host.ts'
import { addEventRoutes } from './routes/events.ts'
import { addExecuteRoute } from './routes/execute.ts'
import { addServiceHealthRoutes } from './routes/health.ts'
import { addCompatibleRoutes, addMergedRoutes } from './routes/merged.ts'
import { addNodeRoutes } from './routes/nodes.ts'
import { addOperatorRoutes } from './routes/operator.ts'
import { addStrategyRoutes } from './routes/strategy.ts'
import type { ClusterOptions } from './settings.ts'

export interface ClusterServerOptions
  extends Pick<HttpServerOptions, 'log' | 'metrics' | 'tracing' | 'version'> {
  readonly cluster: Cluster
  readonly settings: Pick<ClusterOptions, 'apiKey' | 'requests'>
  readonly trustedProxies?: readonly string[]
}

/** Builds the service's HTTP server without listening. Starting and stopping the cluster stays with the caller. */
export async function createClusterServer(options: ClusterServerOptions): Promise<HttpServer> {
  const { cluster, settings, log, version, trustedProxies = [] } = options
  const { apiKey, requests: rules } = settings
  const checkKey = createKeyCheck(apiKey)
  const requireKey = createKeyGuard(apiKey)
  const access = accessFor(apiKey)

  /** Who may come in at all, whatever they want. */
  function requireEntry({ headers }: Pick<IncomingMessage, 'headers'>): void {
    if (apiKey === undefined) requireOwnHost(headers)
    if (headers.via?.includes(cluster.via) === true) throw clusterFailure('loop_detected')
  }

  const app = await createHttpServer({
    log,
    metrics: options.metrics,
    tracing: options.tracing,
    trustedProxies,
    version,
    fallbackInterface: clusterInterface,
    anonymous: nobody,
    authenticate: async ({ headers }) => checkKey(headers),
  })
  app.addHook('onRequest', async (request) => requireEntry(request))
  await registerInterface(app, clusterInterface, (routes) => {
    addServiceHealthRoutes(routes, { cluster, version })
    addNodeRoutes(routes, { cluster, access })
    addOperatorRoutes(routes, { cluster, access })
    addStrategyRoutes(routes, { cluster, access })
    addExecuteRoute(routes, { cluster, access, rules })
    addEventRoutes(routes, { cluster, access })
    addOpenApiRoutes(routes)
  })
  await registerInterface(app, runtimeInterface, (routes) => addMergedRoutes(routes, { cluster, access }))
  await registerInterface(app, compatibleInterface, (routes) =>
    addCompatibleRoutes(routes, { cluster, access }),
  )
  passOn(
    app,
    createDataPath({
      requests: cluster.requests,
      rules,
      log,
      guard(request) {
        requireEntry(request)
        requireKey(request.headers)
      },
      keepCredentials: apiKey === undefined,
      via: cluster.via,
      closing: app.closing,
      ready: () => cluster.settled(),
    }),
  )
  return app
}

/** Requests for nodes are taken before the framework sees them: each of its steps would cost them more than our own. */
function passOn(app: HttpServer, dataPath: DataPath): void {
  const { server } = app
  const others = server.listeners('request') as ((request: IncomingMessage, response: unknown) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const path = pathOf(request.url ?? '/')
    if (isPassedOn(path)) dataPath(request, response, path)
    else for (const listener of others) listener.call(server, request, response)
  })
}
