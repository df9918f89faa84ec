import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, request } from 'undici'
import { startRunningTimer } from '#kernel/timers'
import { explainConnectionError } from '../probing/failed-probe.ts'
import { failedStatus } from '../requests/failed-attempt.ts'
import type { FailedRoute } from './no-route-left.ts'
import { headersOf, type ModelOperation, type ModelRoute, urlOf } from './route.ts'

export interface RoutedResponse {
  readonly route: ModelRoute
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The response stream. The caller must read, dump or destroy it; otherwise the node keeps working. */
  readonly body: Dispatcher.ResponseData['body']
}

export interface SessionHeader {
  readonly header: string
  readonly value: string
}

interface TryRouteOptions {
  readonly operation: ModelOperation
  readonly body: string
  readonly dispatcher: Dispatcher
  readonly firstByteMs: number
  readonly signal: AbortSignal | undefined
  readonly caller: string | undefined
  readonly session: SessionHeader | undefined
  readonly trace: Readonly<Record<string, string>> | undefined
}

/** Statuses after which another route is tried. */
const unavailable = new Set([502, 503, 504, 508])

/** Sends a request by one route. Throws only when the caller cancelled. */
export async function tryRoute(
  route: ModelRoute,
  options: TryRouteOptions,
): Promise<RoutedResponse | FailedRoute> {
  const { operation, body, dispatcher, firstByteMs, signal, caller, session, trace } = options
  const given = new AbortController()
  using _ = startRunningTimer(() => given.abort(), firstByteMs)
  const failed = { kind: route.kind, url: route.url }
  try {
    const response = await request(urlOf(route, operation), {
      method: 'POST',
      dispatcher,
      body,
      headers: {
        ...headersOf(route),
        'content-type': 'application/json',
        ...trace,
        ...(route.kind !== 'node' && session !== undefined && { [session.header]: session.value }),
        ...(route.kind === 'cluster' && caller !== undefined && { 'x-cluster-caller': caller }),
      },
      signal: signal === undefined ? given.signal : AbortSignal.any([signal, given.signal]),
    })
    const { statusCode: status, headers } = response
    if (!unavailable.has(status)) return { route, status, headers, body: response.body }
    const { reason } = failedStatus(status, await readBeginning(response.body))
    const message = `it ${withoutKey(reason, route)}`.replace(/\.$/, '')
    const retryAfter = [headers['retry-after']].flat()[0]
    return { ...failed, reason: status === 504 ? 'late' : 'unavailable', message, retryAfter }
  } catch (error) {
    if (signal?.aborted === true) throw error
    return given.signal.aborted
      ? { ...failed, reason: 'late', message: `it did not begin within ${firstByteMs / 1000} s` }
      : { ...failed, reason: 'unreachable', message: explainConnectionError(error).message }
  }
}

/** The message is shown to callers, and a response may repeat the credentials of the request. */
function withoutKey(text: string, { apiKey }: ModelRoute): string {
  return apiKey === undefined || apiKey === '' ? text : text.replaceAll(apiKey, '[key]')
}

const maxReadBytes = 16 * 1024

/** Limit of an error body; the rest is not read. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > maxReadBytes) break
  }
  return Buffer.concat(pieces)
}
