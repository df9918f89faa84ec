import { performance } from 'node:perf_hooks'
import { Type } from 'typebox'
import { Agent } from 'undici'
import { createCheck } from '#kernel/checks'
import { FailedProbe } from '../probing/failed-probe.ts'
import { createProbeAgent, fetchFromNode } from '../probing/probe-node.ts'
import { type FetchOptions, fetchJson } from './fetch-json.ts'
import {
  listRoutedModels,
  listRuntimeEntries,
  type RoutedModel,
  type RuntimeListEntry,
} from './list-models.ts'
import { type FailedRoute, NoRouteLeft } from './no-route-left.ts'
import { knows, type ModelOperation, type ModelRoute, urlOf } from './route.ts'
import { type RoutedResponse, type SessionHeader, tryRoute } from './try-route.ts'

interface SendOptions {
  readonly signal?: AbortSignal
  /** Kinds of routes that this request must not use. */
  readonly passOver?: readonly ModelRoute['kind'][]
  /** The caller, for the cluster's fair queue. Sent to the cluster only. */
  readonly caller?: string | undefined
  /** Keeps requests with the same value on one node. Sent to the cluster, and to a gateway, which forwards it to its cluster. */
  readonly session?: SessionHeader | undefined
  /** The headers of the trace that the request continues. */
  readonly trace?: Readonly<Record<string, string>> | undefined
}

export interface ModelClient extends AsyncDisposable {
  /** Throws NoRouteLeft, or the reason of the signal. */
  send(operation: ModelOperation, body: object, options?: SendOptions): Promise<RoutedResponse>
  /**
   * The models that requests reach while the cluster is unreachable: those of the first other route that responds.
   * Undefined when none responds.
   */
  modelsBehindCluster(): Promise<readonly RoutedModel[] | undefined>
  /**
   * The entries of the runtime's list of models or of loaded models, unchanged, from the cluster or else the node. Empty when
   * neither responds.
   */
  list(kind: 'tags' | 'ps'): Promise<readonly RuntimeListEntry[]>
  /** The state of each route, in order. Sends no request to a model. */
  probe(signal?: AbortSignal): Promise<readonly RouteProbe[]>
}

export interface ModelClientOptions {
  /** In the order they are tried: the cluster, then the gateway, then a node. */
  readonly routes: readonly ModelRoute[]
  /** Timeout for the start of a response. */
  readonly firstByteMs: number
  /** Timeout of state and model list requests. */
  readonly probeMs?: number
}

const connectTimeoutMs = 5000

/**
 * Sends a request by the first available route. The next one is tried when a route is unreachable, does not respond in
 * time or is unavailable; any other response is returned. Addresses come from the operator.
 */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const { routes, firstByteMs, probeMs: timeoutMs = 5000 } = options
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectTimeoutMs } })
  const probing = { dispatcher: createProbeAgent(), timeoutMs }

  return {
    async send(operation, body, { signal, passOver = [], caller, session, trace } = {}) {
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
          trace,
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
    async list(kind) {
      for (const route of routes) {
        const entries = await listRuntimeEntries(route, kind, probing)
        if (entries !== undefined) return entries
      }
      return []
    },
    probe: (signal) => Promise.all(routes.map((route) => probeRoute(route, { ...probing, signal }))),
    async [Symbol.asyncDispose]() {
      await Promise.all([agent.destroy(), probing.dispatcher.destroy()])
    },
  }
}

/**
 * The state of a route.
 *
 * | state      | requests                                                   |
 * |------------|------------------------------------------------------------|
 * | online     | succeed                                                    |
 * | degraded   | succeed, but some nodes have problems                      |
 * | empty      | fail: the cluster has no nodes                             |
 * | offline    | fail                                                       |
 */
interface RouteProbe {
  readonly kind: ModelRoute['kind']
  readonly url: string
  readonly state: 'online' | 'degraded' | 'empty' | 'offline'
  readonly problem: string | null
  /** Null without a response. */
  readonly responseMs: number | null
}

type Found = Pick<RouteProbe, 'state' | 'problem'>

const clusterHealth = createCheck(
  Type.Object({
    status: Type.String(),
    message: Type.String({ maxLength: 500 }),
    nodes: Type.Object({ total: Type.Integer() }),
  }),
)

/** Probes a route. Never throws: a failure is a result. */
async function probeRoute(route: ModelRoute, options: FetchOptions): Promise<RouteProbe> {
  const { kind, url } = route
  const startedAt = performance.now()
  try {
    const found = await look(route, options)
    return { kind, url, ...found, responseMs: performance.now() - startedAt }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { kind, url, state: 'offline', problem, responseMs: null }
  }
}

async function look(route: ModelRoute, options: FetchOptions): Promise<Found> {
  switch (route.kind) {
    case 'cluster':
      return classifyHealth(await fetchJson(route, `${route.url}/health`, options))
    case 'gateway':
      // A request that requires the key, so that an invalid key is found early.
      await fetchJson(route, urlOf(route, 'models'), options)
      return { state: 'online', problem: null }
    default: {
      const { dispatcher, timeoutMs, signal } = options
      const told = await fetchFromNode(route.url, {
        dispatcher,
        timeoutMs,
        // A direct route has no translation.
        required: 'ollama',
        ...(signal !== undefined && { signal }),
      })
      if (!told.ok) throw new FailedProbe(told.error)
      return { state: 'online', problem: null }
    }
  }
}

function classifyHealth(response: unknown): Found {
  if (!clusterHealth.Check(response)) throw new FailedProbe('what answers there is not a cluster service')
  const { status, message, nodes } = response
  if (status === 'healthy') return { state: 'online', problem: null }
  if (status === 'degraded') return { state: 'degraded', problem: message }
  return { state: nodes.total === 0 ? 'empty' : 'offline', problem: message }
}
