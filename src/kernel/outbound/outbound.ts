import type { Logger, Metrics } from '#kernel/telemetry'
import { parseAllowList } from './allow-list.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { outboundFailure } from './errors.ts'
import { type AnswerHeaders, exchange, type WireBounds } from './exchange.ts'
import { followRedirect, type Hop, isRedirect } from './follow-redirect.ts'
import { createNameResolver, type NameResolverOptions, type Resolve } from './names/name-resolver.ts'
import { createObserver } from './observer.ts'
import { pinTarget } from './pin-target.ts'
import { prepareHeaders } from './request-headers.ts'
import { parseTarget } from './target.ts'

export interface OutboundOptions {
  /** Hosts, addresses and networks that may be reached although private. */
  readonly allow: readonly string[]
  readonly log: Logger
  readonly metrics?: Metrics
  /** How names are looked up; by the hosts file and the name servers of the system unless told otherwise. */
  readonly names?: Omit<NameResolverOptions, 'log'>
  /** Gives the addresses of a name, instead of a look-up. */
  readonly resolve?: Resolve
  /** Certificates to trust, in PEM, instead of those Node.js trusts. */
  readonly certificates?: readonly string[]
}

export interface OutboundRequest {
  /** Whose call it is; `platform` for the platform's own. Look-ups of names are limited by account. */
  readonly account: string
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly accept?: string
  /** For all of it: look-up, connection, redirects, and the last byte of the body. */
  readonly timeoutMs?: number
  readonly connectTimeoutMs?: number
  readonly maxResponseBytes?: number
  readonly maxRedirects?: number
  /** Ends the request at once; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

interface AnswerHead {
  readonly status: number
  readonly headers: AnswerHeaders
  /** Where the answer came from, after redirects. */
  readonly url: string
  readonly redirects: number
}

export interface OutboundAnswer extends AnswerHead {
  readonly body: Buffer
  readonly durationMs: number
}

export interface OutboundStream extends AnswerHead, AsyncDisposable {
  /** Can be read once. The connection closes when it ends, when reading stops, or when the time is over. */
  readonly body: AsyncIterable<Buffer>
}

/** The only way out to an address somebody gave us. */
export interface Outbound {
  request(url: string | URL, options: OutboundRequest): Promise<OutboundAnswer>
  stream(url: string | URL, options: OutboundRequest): Promise<OutboundStream>
  /** Checks an address as a request would, without connecting, and gives it back as it will be used. */
  checkUrl(url: string | URL, options: Pick<OutboundRequest, 'account'>): Promise<string>
}

const defaults = { timeoutMs: 30_000, connectTimeoutMs: 5000, maxResponseBytes: 1_048_576, maxRedirects: 0 }
/** A little longer than a look-up may take, which says more precisely why it failed. */
const checkTimeoutMs = 6000
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Makes the guard that every request to a foreign address passes. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { log, resolve = createNameResolver({ ...options.names, log }), certificates } = options
  const allow = parseAllowList(options.allow)
  const observer = createObserver(options)

  /** Sends the request and follows redirects; every hop is looked up and checked like the first. */
  async function open(
    first: Hop,
    settings: Pick<OutboundRequest, 'account'> & typeof defaults,
    deadline: Deadline,
  ) {
    const { account, maxRedirects } = settings
    const bounds: WireBounds = { ...settings, ...(certificates !== undefined && { certificates }) }
    const { signal } = deadline
    let hop = first
    for (let redirects = 0; ; redirects += 1) {
      const target = await deadline.race(pinTarget(hop.target, allow, resolve, { account, signal }))
      const { status, headers, body, close } = await exchange(target, hop.request, bounds, deadline)
      if (maxRedirects === 0 || !isRedirect(status, headers)) {
        return { status, headers, body, close, url: target.url.href, redirects }
      }
      close()
      if (redirects === maxRedirects) throw outboundFailure('outbound_too_many_redirects')
      hop = followRedirect(hop, status, headers)
    }
  }

  async function stream(url: string | URL, given: OutboundRequest): Promise<OutboundStream> {
    const settings = { ...defaults, ...given }
    const observation = observer.start(url)
    const deadline = startDeadline(settings.timeoutMs, settings.signal)
    const finish = (error?: unknown): void => {
      deadline[Symbol.dispose]()
      observation.finish(error)
    }
    try {
      const { body, close, ...head } = await open(prepareHop(url, settings), settings, deadline)
      return {
        ...head,
        body: watchEnd(body, finish),
        async [Symbol.asyncDispose]() {
          close()
          finish()
        },
      }
    } catch (error) {
      finish(error)
      throw error
    }
  }

  return {
    stream,
    async request(url, request) {
      const startedAt = performance.now()
      await using answer = await stream(url, request)
      const { status, headers, url: finalUrl, redirects } = answer
      const chunks: Buffer[] = []
      for await (const chunk of answer.body) chunks.push(chunk)
      const durationMs = performance.now() - startedAt
      return { status, headers, url: finalUrl, redirects, body: Buffer.concat(chunks), durationMs }
    },
    async checkUrl(url, { account }) {
      using deadline = startDeadline(checkTimeoutMs, undefined)
      const { signal } = deadline
      try {
        const { url: checked } = await deadline.race(
          pinTarget(parseTarget(url), allow, resolve, { account, signal }),
        )
        return checked.href
      } catch (error) {
        observer.tellRefusal(url, error)
        throw error
      }
    },
  }
}

function prepareHop(url: string | URL, { method = 'GET', headers = {}, body, accept }: OutboundRequest): Hop {
  if (!methods.has(method)) {
    throw outboundFailure('outbound_invalid_request', { message: `The method ${method} cannot be used.` })
  }
  return { target: parseTarget(url), request: { method, headers: prepareHeaders(headers, accept), body } }
}

async function* watchEnd(
  body: AsyncIterable<Buffer>,
  finish: (error?: unknown) => void,
): AsyncGenerator<Buffer, void> {
  try {
    yield* body
  } catch (error) {
    finish(error)
    throw error
  } finally {
    finish()
  }
}
