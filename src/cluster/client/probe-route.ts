import { performance } from 'node:perf_hooks'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { FailedProbe } from '../probing/failed-probe.ts'
import { askNode } from '../probing/probe-node.ts'
import { type AskOptions, askForJson } from './ask-json.ts'
import { type ModelRoute, urlOf } from './route.ts'

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
export interface RouteProbe {
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
export async function probeRoute(route: ModelRoute, options: AskOptions): Promise<RouteProbe> {
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
      return judgeCluster(await askForJson(route, `${route.url}/health`, options))
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

function judgeCluster(answer: unknown): Found {
  if (!clusterHealth.Check(answer)) throw new FailedProbe('what answers there is not a cluster service')
  const { status, message, nodes } = answer
  if (status === 'healthy') return { state: 'online', problem: null }
  if (status === 'degraded') return { state: 'degraded', problem: message }
  return { state: nodes.total === 0 ? 'empty' : 'offline', problem: message }
}
