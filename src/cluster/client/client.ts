import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { explainConnectionError } from '../probing/failed-probe.ts'

/** A way to a model. The gateway has the same bodies as the cluster, under a prefix of its own. */
export interface ModelRoute {
  readonly kind: 'cluster' | 'gateway' | 'node'
  readonly url: string
  readonly apiKey?: string | undefined
}

interface RoutedAnswer {
  readonly route: ModelRoute
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As it arrives. Read it or destroy it: whoever does neither keeps a node working. */
  readonly body: Readable
}

/** Every route failed. The message says why each of them did. */
export class NoRouteLeft extends Error {
  override readonly name = 'NoRouteLeft'
}

export interface ModelClient extends AsyncDisposable {
  send(
    operation: 'generate' | 'chat',
    body: object,
    options?: { readonly signal?: AbortSignal },
  ): Promise<RoutedAnswer>
}

interface ModelClientOptions {
  /** In the order they are tried: the cluster, then the gateway, then a node. */
  readonly routes: readonly ModelRoute[]
  /** How long a route may take to begin its answer. */
  readonly firstByteMs: number
}

const connectTimeoutMs = 5000
/** What a route answers when it cannot, but another might. */
const unavailable = new Set([502, 503, 504, 508])
const paths: Readonly<Record<ModelRoute['kind'], string>> = {
  cluster: '/api',
  gateway: '/api/v1',
  node: '/api',
}

/**
 * Sends a request by the first route that is there. The next one is tried when a route cannot be reached, does not begin in
 * time or says that it is unavailable; any other answer is the answer. Addresses come from the operator.
 */
export function createModelClient({ routes, firstByteMs }: ModelClientOptions): ModelClient {
  const agent = new Agent({
    headersTimeout: firstByteMs,
    bodyTimeout: 0,
    connect: { timeout: connectTimeoutMs },
  })

  async function tryRoute(
    route: ModelRoute,
    operation: string,
    body: string,
    signal: AbortSignal | undefined,
  ): Promise<RoutedAnswer | string> {
    const { kind, url, apiKey } = route
    try {
      const answer = await request(`${url}${paths[kind]}/${operation}`, {
        method: 'POST',
        dispatcher: agent,
        body,
        headers: {
          'content-type': 'application/json',
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        ...(signal !== undefined && { signal }),
      })
      if (!unavailable.has(answer.statusCode)) {
        return { route, status: answer.statusCode, headers: answer.headers, body: answer.body }
      }
      await answer.body.dump()
      return `it answered with status ${answer.statusCode}`
    } catch (error) {
      if (signal?.aborted === true) throw error
      return explainConnectionError(error).message
    }
  }

  return {
    async send(operation, body, { signal } = {}) {
      const text = JSON.stringify(body)
      const failures: string[] = []
      for (const route of routes) {
        const answer = await tryRoute(route, operation, text, signal)
        if (typeof answer !== 'string') return answer
        failures.push(`${route.kind} ${route.url}: ${answer}`)
      }
      throw new NoRouteLeft(failures.length === 0 ? 'there is no route to a model' : failures.join('; '))
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy()
    },
  }
}
