import { performance } from 'node:perf_hooks'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Agent } from 'undici'
import { FailedProbe } from '../probing/failed-probe.ts'
import { askNode, createProbeAgent } from '../probing/probe-node.ts'
import { type AskOptions, askForJson } from './ask-json.ts'
import { listRoutedModels, type RoutedModel } from './list-models.ts'
import { type FailedRoute, NoRouteLeft } from './no-route-left.ts'
import { knows, type ModelOperation, type ModelRoute, urlOf } from './route.ts'
import { type RoutedResponse, type SessionHeader, tryRoute } from './try-route.ts'

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
  send(operation: ModelOperation, body: object, options?: SendOptions): Promise<RoutedResponse>
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

/**
 * How a route is.
 *
 * | state      | a request by it                                            |
 * |------------|------------------------------------------------------------|
 * | online     | is answered                                                |
 * | degraded   | is answered, but not all is well                           |
 * | empty      | is not: the cluster is there, and no node is known to it   |
 * | offline    | is not                                                     |
 */
interface RouteProbe {
  readonly kind: ModelRoute['kind']
  readonly url: string
  readonly state: 'online' | 'degraded' | 'empty' | 'offline'
  readonly problem: string | null
  /** Null when it did not answer. */
  readonly responseMs: number | null
}

type Found = Pick<RouteProbe, 'state' | 'problem'>

const clusterHealth = Compile(
  Type.Object({
    status: Type.String(),
    message: Type.String({ maxLength: 500 }),
    nodes: Type.Object({ total: Type.Integer() }),
  }),
)

/** Asks a route how it is. Never throws: a route that fails is a result too. */
async function probeRoute(route: ModelRoute, options: AskOptions): Promise<RouteProbe> {
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

async function look(route: ModelRoute, options: AskOptions): Promise<Found> {
  switch (route.kind) {
    case 'cluster':
      return classifyHealth(await askForJson(route, `${route.url}/health`, options))
    case 'gateway':
      // Asked for something that wants its key, so that a wrong one is found before it is needed.
      await askForJson(route, urlOf(route, 'models'), options)
      return { state: 'online', problem: null }
    default: {
      const { dispatcher, timeoutMs, signal } = options
      const told = await askNode(route.url, {
        dispatcher,
        timeoutMs,
        ...(signal !== undefined && { signal }),
      })
      if (!told.ok) throw new FailedProbe(told.error)
      return { state: 'online', problem: null }
    }
  }
}

function classifyHealth(answer: unknown): Found {
  if (!clusterHealth.Check(answer)) throw new FailedProbe('what answers there is not a cluster service')
  const { status, message, nodes } = answer
  if (status === 'healthy') return { state: 'online', problem: null }
  if (status === 'degraded') return { state: 'degraded', problem: message }
  return { state: nodes.total === 0 ? 'empty' : 'offline', problem: message }
}
