import type { IncomingMessage } from 'node:http'
import {
  addOpenApiRoutes,
  anonymousPrincipal,
  type CallerRatePolicy,
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  registerApi,
  requireAccess,
} from '#kernel/http'
import { clusterApi, compatibleApi, messagesApi, runtimeApi } from './api.ts'
import { clusterAccess } from './callers/access.ts'
import { type Callers, createCallers, type Identify, operatorOf } from './callers/callers.ts'
import { createKeyLimitCheck, createLocalLimiter, type LimitCounts } from './callers/key-limits.ts'
import type { Cluster } from './cluster.ts'
import type { ControlFor } from './control/control.ts'
import { controlOwnCluster } from './control/own-control.ts'
import type { DataRequest } from './data-path/data-exchange.ts'
import { type Admitted, createDataPath, type DataPath } from './data-path/data-path.ts'
import { dataRequestOf, dataResponseOf } from './data-path/http-exchange.ts'
import type { MeterRequest } from './data-path/metering.ts'
import { isForwarded, pathOf } from './data-path/runtime-paths.ts'
import { serveCallers } from './data-path/wire/serve-callers.ts'
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
  extends Pick<HttpServerOptions, 'log' | 'metrics' | 'tracing' | 'version' | 'loopDelayLimitMs'> {
  readonly cluster: Cluster
  readonly settings: Pick<ClusterOptions, 'apiKey' | 'mustSayWho' | 'requests'>
  /** The accounts of the platform, which may use the cluster as their permissions and scopes allow. */
  readonly identify?: Identify | undefined
  readonly trustedProxies?: readonly string[]
  /** Counts the requests and tokens of API keys with limits, shared with the platform. Default: in the memory of this process. */
  readonly limiter?: LimitCounts | undefined
  /** Limits the requests of the platform's accounts. */
  readonly accountRate?: CallerRatePolicy | undefined
  /** Charges requests of the platform's accounts. */
  readonly meter?: MeterRequest | undefined
}

/** Builds the service's HTTP server without listening. Starting and stopping the cluster stays with the caller. */
export async function createClusterServer(options: ClusterServerOptions): Promise<HttpServer> {
  const { cluster, settings, identify, log, version, trustedProxies = [] } = options
  const { apiKey, mustSayWho, requests: rules } = settings
  const keyLimits = createKeyLimitCheck(options.limiter ?? createLocalLimiter(), options.accountRate)
  const access = clusterAccess(mustSayWho)
  const callers = createCallers({
    mustSayWho,
    apiKey,
    identify,
    requireAccess: (principal) => requireAccess(access.generate, principal),
  })
  const controlFor: ControlFor = (request) => controlOwnCluster(cluster, operatorOf(request))

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
    loopDelayLimitMs: options.loopDelayLimitMs,
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
  app.terminating.signal.addEventListener('abort', () => cluster.requests.shutDown(), { once: true })
  const forwarded = { access, callers, dataPath, rules }
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
  bypassFramework(app, {
    dataPath,
    callers,
    stallMs: rules.stallMs,
    hasProxies: trustedProxies.length > 0,
  })
  return app
}

interface BypassOptions {
  readonly dataPath: DataPath
  readonly callers: Callers
  readonly stallMs: number
  /** The addresses of callers can be in a header, which the framework reads. */
  readonly hasProxies: boolean
}

/**
 * Requests of cached callers bypass the framework, because its hooks cost more than the forwarding itself. Most of them bypass Node's
 * HTTP server as well: our own parser reads them.
 */
function bypassFramework(app: HttpServer, { dataPath, callers, stallMs, hasProxies }: BypassOptions): void {
  const { server } = app
  const others = server.listeners('request') as ((request: IncomingMessage, response: unknown) => void)[]

  function admit({ url, headers }: Pick<DataRequest, 'url' | 'headers'>): Admitted | undefined {
    const path = pathOf(url)
    const caller = isForwarded(path) ? callers.recall(headers) : undefined
    return caller && { path, caller }
  }

  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const admitted = admit({ url: request.url ?? '/', headers: request.headers })
    if (admitted !== undefined) dataPath(dataRequestOf(request), dataResponseOf(response, stallMs), admitted)
    else for (const listener of others) listener.call(server, request, response)
  })
  serveCallers(server, {
    admit(head) {
      const admitted = admit(head)
      return admitted && ((exchange) => dataPath(exchange, exchange, admitted))
    },
    authenticate({ url, headers }, address) {
      if (!isForwarded(pathOf(url)) || (hasProxies && headers['x-forwarded-for'] !== undefined))
        return undefined
      return callers.authenticateDirectly(headers, address)
    },
    maxUnreadMs: stallMs,
    closing: app.closing,
  })
}
