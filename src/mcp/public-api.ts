import { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '#kernel/http'
import { explainRefusal } from './explain-refusal.ts'

interface ApiRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** The public interfaces of this platform, in the name of somebody. */
export interface PublicApi {
  /** Throws a `Refusal` when the answer is no success. */
  call<Body>(request: ApiRequest): Promise<Body>
}

/** The platform did not do what was asked. The message is for whoever asked, and says what to do. */
export class Refusal extends Error {
  /** It may be asked again after so long; undefined when that would not help. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, retryAfterSeconds?: number) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** An id as a piece of a path. Addresses forget pieces that are dots, written whichever way; no id is one. */
export function pieceOf(id: string): string {
  return encodeURIComponent(/^\.{1,2}$/.test(id) ? `"${id}"` : id)
}

/** Everything that says who asks, and from where. */
const passedOn = ['authorization', 'x-api-key', 'cookie', 'x-csrf-token', 'user-agent', 'host'] as const

/**
 * Asks the platform as whoever sent the request: the same credential, address and request id. So tools have exactly the permissions,
 * limits, budgets and checks of the public interfaces, because they are the public interfaces.
 */
export function askAs(request: FastifyRequest, app: Pick<HttpServer, 'inject'>): PublicApi {
  const caller: Record<string, string> = { 'x-request-id': request.id }
  for (const name of passedOn) {
    const value = request.headers[name]
    if (typeof value === 'string') caller[name] = value
  }
  const remoteAddress = request.ip

  return {
    async call<Body>({ method = 'GET', path, query = {}, body, headers = {} }: ApiRequest) {
      const given = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as const],
      )
      const answer = await app.inject({
        method,
        url: path,
        query: Object.fromEntries(given),
        headers: { ...caller, ...headers },
        remoteAddress,
        // The server looks at what only requests of Node's own kind have.
        Request: IncomingMessage,
        ...(body !== undefined && { payload: body }),
      })
      const told = answer.payload === '' ? undefined : (JSON.parse(answer.payload) as unknown)
      if (answer.statusCode < 300) return told as Body
      const seconds = readSeconds(answer.headers['retry-after'])
      throw new Refusal(explainRefusal(answer.statusCode, told, seconds), seconds)
    },
  }
}

function readSeconds(header: string | string[] | number | undefined): number | undefined {
  const seconds = Number(header)
  return header === undefined || Number.isNaN(seconds) ? undefined : seconds
}
