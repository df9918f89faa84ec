import type { IncomingMessage } from 'node:http'
import {
  addOpenApiRoutes,
  anonymousPrincipal,
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  registerApi,
} from '#kernel/http'
import type { Limiter } from '#kernel/limits'
import { clusterApi, compatibleApi, messagesApi, runtimeApi } from './api.ts'
import { clusterAccess } from './callers/access.ts'
import { type Callers, createCallers, type Identify } from './callers/callers.ts'
import { createKeyLimitCheck, createLocalLimiter } from './callers/key-limits.ts'
import type { Cluster } from './cluster.ts'
import { controlOwnCluster } from './control/own-control.ts'
import { createDataPath, type DataPath } from './data-path/data-path.ts'
import type { MeterRequest } from './data-path/metering.ts'
import { isForwarded, pathOf } from './data-path/runtime-paths.ts'
import { clusterFailure } from './errors.ts'
import { requireOwnHost } from './own-host.ts'
import { addEventRoutes } from './routes/events.ts'
import { addExecuteRoute } from './routes/execute.ts'
import { addForwardedRoutes, compatiblePaths, messagesPaths, nativePaths } from './routes/forwarded-paths.ts'
import { addServiceHealthRoutes } from './routes/health.ts'
import { addCompatibleRoutes, addMergedRoutes } from './routes/merged.ts'
import { addNodeRoutes } from './routes/nodes.ts'
import { addOperatorRoutes } from './routes/operator.ts'
import { addOptimalRoute, addStrategyRoutes } from './routes/strategy.ts'
import { addTrafficRoute } from './routes/traffic.ts'
import type { ClusterOptions } from './settings.ts'

export interface ClusterServerOptions
  extends Pick<HttpServerOptions, 'log' | 'metrics' | 'tracing' | 'version'> {
  readonly cluster: Cluster
  readonly settings: Pick<ClusterOptions, 'apiKey' | 'mustSayWho' | 'requests'>
  /** The accounts of the platform, which may use the cluster as their permissions and scopes allow. */
  readonly identify?: Identify | undefined
  readonly trustedProxies?: readonly string[]
  /** Counts the requests of API keys with limits, shared with the platform. Default: in the memory of this process. */
  readonly limiter?: Pick<Limiter, 'take'> | undefined
  /** Charges requests of the platform's accounts. */
  readonly meter?: MeterRequest | undefined
}

/** Builds the service's HTTP server without listening. Starting and stopping the cluster stays with the caller. */
export async function createClusterServer(options: ClusterServerOptions): Promise<HttpServer> {
  const { cluster, settings, identify, log, version, trustedProxies = [] } = options
  const { apiKey, mustSayWho, requests: rules } = settings
  const callers = createCallers({ mustSayWho, apiKey, identify })
  const keyLimits = createKeyLimitCheck(options.limiter ?? createLocalLimiter())
  const access = clusterAccess(mustSayWho)
  const control = controlOwnCluster(cluster)
  const controlFor = () => control

  /** Checks that apply to every request. */
  function requireEntry({ headers }: Pick<IncomingMessage, 'headers'>): void {
    if (!mustSayWho) requireOwnHost(headers)
    if (headers.via?.includes(cluster.via) === true) throw clusterFailure('loop_detected')
  }

  const app = await createHttpServer({
    log,
    metrics: options.metrics,
    tracing: options.tracing,
    trustedProxies,
    version,
    fallbackApi: clusterApi,
    anonymous: anonymousPrincipal,
    authenticate: callers.authenticate,
  })
  const dataPath = createDataPath({
    requests: cluster.requests,
    rules,
    log,
    guard: requireEntry,
    // With authentication, credentials are for this service and are not forwarded to nodes.
    keepCredentials: apiKey === undefined && identify === undefined,
    via: cluster.via,
    closing: app.closing,
    keyLimits,
    ready: () => cluster.settled(),
    meter: options.meter,
  })
  const forwarded = { access, callers, dataPath, sessionHeader: rules.sessionHeader }
  app.addHook('onRequest', async (request) => requireEntry(request))
  await registerApi(app, clusterApi, (routes) => {
    addServiceHealthRoutes(routes, { cluster, version })
    addNodeRoutes(routes, { controlFor, access })
    addOperatorRoutes(routes, { controlFor, access })
    addStrategyRoutes(routes, { controlFor, access })
    addOptimalRoute(routes, { cluster, access })
    addExecuteRoute(routes, { cluster, access, rules, keyLimits, meter: options.meter })
    addEventRoutes(routes, { controlFor, access })
    addTrafficRoute(routes, { cluster, access })
    addOpenApiRoutes(routes)
  })
  await registerApi(app, runtimeApi, (routes) => {
    addMergedRoutes(routes, { cluster, access, keyLimits })
    addForwardedRoutes(routes, nativePaths, forwarded)
  })
  await registerApi(app, compatibleApi, (routes) => {
    addCompatibleRoutes(routes, { cluster, access, keyLimits })
    addForwardedRoutes(routes, compatiblePaths, forwarded)
  })
  await registerApi(app, messagesApi, (routes) => {
    addForwardedRoutes(routes, messagesPaths, forwarded)
  })
  passOn(app, dataPath, callers)
  return app
}

/** Requests of cached callers bypass the framework, because its hooks cost more than the forwarding itself. */
function passOn(app: HttpServer, dataPath: DataPath, callers: Callers): void {
  const { server } = app
  const others = server.listeners('request') as ((request: IncomingMessage, response: unknown) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const path = pathOf(request.url ?? '/')
    const caller = isForwarded(path) ? callers.recall(request.headers) : undefined
    if (caller !== undefined) dataPath(request, response, { path, caller })
    else for (const listener of others) listener.call(server, request, response)
  })
}
