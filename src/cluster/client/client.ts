import { Agent } from 'undici'
import { createProbeAgent } from '../probing/probe-node.ts'
import { listRoutedModels, type RoutedModel } from './list-models.ts'
import { type FailedRoute, NoRouteLeft } from './no-route-left.ts'
import { probeRoute, type RouteProbe } from './probe-route.ts'
import { knows, type ModelOperation, type ModelRoute } from './route.ts'
import { type RoutedAnswer, type SessionHeader, tryRoute } from './try-route.ts'

interface SendOptions {
  readonly signal?: AbortSignal
  /** Kinds of routes that this request must not take. */
  readonly passOver?: readonly ModelRoute['kind'][]
  /** Whom it is for: callers of the same cluster have their turns. Told to the cluster alone. */
  readonly caller?: string | undefined
  /** Keeps requests of the same value on one node. Told to the cluster and to a gateway, which passes it on to its own. */
  readonly session?: SessionHeader | undefined
}

export interface ModelClient extends AsyncDisposable {
  /** Throws NoRouteLeft, or the reason of the signal. */
  send(operation: ModelOperation, body: object, options?: SendOptions): Promise<RoutedAnswer>
  /**
   * The models that requests reach while the cluster is away: those of the first route behind it that tells. Undefined when
   * none does.
   */
  modelsBehindCluster(): Promise<readonly RoutedModel[] | undefined>
  /** How each route is, in their order. Nothing is asked of a model. */
  probe(signal?: AbortSignal): Promise<readonly RouteProbe[]>
}

export interface ModelClientOptions {
  /** In the order they are tried: the cluster, then the gateway, then a node. */
  readonly routes: readonly ModelRoute[]
  /** How long a route may take to begin its answer. */
  readonly firstByteMs: number
  /** How long a route may take to tell how it is, or which models it has. */
  readonly probeMs?: number
}

const connectTimeoutMs = 5000

/**
 * Sends a request by the first route that is there. The next one is tried when a route cannot be reached, does not begin in
 * time or says that it is unavailable; any other answer is the answer. Addresses come from the operator.
 */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const { routes, firstByteMs, probeMs: timeoutMs = 5000 } = options
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectTimeoutMs } })
  const probing = { dispatcher: createProbeAgent(), timeoutMs }

  return {
    async send(operation, body, { signal, passOver = [], caller, session } = {}) {
      const text = JSON.stringify(body)
      const failures: FailedRoute[] = []
      for (const route of routes) {
        if (!knows(route, operation) || passOver.includes(route.kind)) continue
        const tried = await tryRoute(route, {
          operation,
          body: text,
          dispatcher: agent,
          firstByteMs,
          signal,
          caller,
          session,
        })
        if ('status' in tried) return tried
        failures.push(tried)
      }
      throw new NoRouteLeft(failures)
    },
    async modelsBehindCluster() {
      for (const route of routes) {
        const models = await listRoutedModels(route, probing)
        if (models !== undefined) return models
      }
      return undefined
    },
    probe: (signal) => Promise.all(routes.map((route) => probeRoute(route, { ...probing, signal }))),
    async [Symbol.asyncDispose]() {
      await Promise.all([agent.destroy(), probing.dispatcher.destroy()])
    },
  }
}
