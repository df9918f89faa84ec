import { Failure } from '#kernel/errors'
import type { Logger, Metrics } from '#kernel/telemetry'
import { parseAllowList } from './allow-list.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { outboundFailure, refuse } from './errors.ts'
import { exchange, type ResponseHeaders, type WireBounds, type WireRequest } from './exchange.ts'
import { createNameResolver, type NameResolverOptions, type Resolve } from './name-resolver.ts'
import { pinTarget } from './pin-target.ts'
import { dropContent, dropCredentials, prepareHeaders } from './request-headers.ts'
import { parseTarget, type Target } from './target.ts'

export interface OutboundOptions {
  /** Private hosts, addresses and networks that may be called. */
  readonly allow: readonly string[]
  readonly log: Logger
  readonly metrics?: Metrics
  /** How names are resolved. Default: the hosts file and the name servers of the system. */
  readonly names?: Omit<NameResolverOptions, 'log'>
  /** Resolves names instead of the built-in resolver. */
  readonly resolve?: Resolve
  /** Trusted certificates in PEM, instead of those of Node.js. */
  readonly certificates?: readonly string[]
}

export interface OutboundRequest {
  /** The account of the request; `platform` for the platform's own. Lookups of names are limited by account. */
  readonly account: string
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly accept?: string
  /** Timeout of the whole request: lookup, connection, redirects and body. */
  readonly timeoutMs?: number
  readonly connectTimeoutMs?: number
  readonly maxResponseBytes?: number
  readonly maxRedirects?: number
  /** The request has credentials: over http it then goes only to hosts of the allow-list, which the operator has named. Default: false. */
  readonly confidential?: boolean
  /** Aborts the request, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

interface ResponseHead {
  readonly status: number
  readonly headers: ResponseHeaders
  /** The final URL, after redirects. */
  readonly url: string
  readonly redirects: number
}

export interface OutboundResponse extends ResponseHead {
  readonly body: Buffer
  readonly durationMs: number
}

interface OutboundStream extends ResponseHead, AsyncDisposable {
  /** Can be read once. The connection closes at its end, when reading stops, or at the timeout. */
  readonly body: AsyncIterable<Buffer>
}

/** Sends requests to addresses that users configure. Every method throws the outbound failures. */
export interface Outbound {
  request(url: string | URL, options: OutboundRequest): Promise<OutboundResponse>
  stream(url: string | URL, options: OutboundRequest): Promise<OutboundStream>
  /** Checks an address like a request, without connecting, and returns it normalised. */
  checkUrl(url: string | URL, options: Pick<OutboundRequest, 'account' | 'confidential'>): Promise<string>
}

const defaults = {
  timeoutMs: 30_000,
  connectTimeoutMs: 5000,
  maxResponseBytes: 1_048_576,
  maxRedirects: 0,
  confidential: false,
}
/** Longer than the timeout of a lookup, because the error of the lookup is more specific. */
const checkTimeoutMs = 6000
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Creates the client for requests to addresses that users configure. Throws for an invalid allow-list. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { log, resolve = createNameResolver({ ...options.names, log }), certificates } = options
  const allow = parseAllowList(options.allow)
  const recorder = createRequestRecorder(options)

  /** Sends the request and follows redirects; every hop is resolved and checked like the first. */
  async function open(
    first: Hop,
    settings: Pick<OutboundRequest, 'account'> & typeof defaults,
    deadline: Deadline,
  ) {
    const { account, maxRedirects, confidential } = settings
    const bounds: WireBounds = { ...settings, ...(certificates !== undefined && { certificates }) }
    const { signal } = deadline
    let hop = first
    for (let redirects = 0; ; redirects += 1) {
      const target = await deadline.race(
        pinTarget(hop.target, allow, resolve, { account, confidential, signal }),
      )
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
    const recording = recorder.start(url)
    const deadline = startDeadline(settings.timeoutMs, settings.signal)
    const finish = (error?: unknown): void => {
      deadline[Symbol.dispose]()
      recording.finish(error)
    }
    try {
      const { body, close, ...head } = await open(prepareHop(url, settings), settings, deadline)
      return {
        ...head,
        body: finishAtEnd(body, finish),
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
      await using response = await stream(url, request)
      const { status, headers, url: finalUrl, redirects } = response
      const chunks: Buffer[] = []
      for await (const chunk of response.body) chunks.push(chunk)
      const durationMs = performance.now() - startedAt
      return { status, headers, url: finalUrl, redirects, body: Buffer.concat(chunks), durationMs }
    },
    async checkUrl(url, { account, confidential = false }) {
      using deadline = startDeadline(checkTimeoutMs, undefined)
      const { signal } = deadline
      try {
        const { url: checked } = await deadline.race(
          pinTarget(parseTarget(url), allow, resolve, { account, confidential, signal }),
        )
        return checked.href
      } catch (error) {
        recorder.recordRefusal(url, error)
        throw error
      }
    },
  }
}

function prepareHop(url: string | URL, { method = 'GET', headers = {}, body, accept }: OutboundRequest): Hop {
  if (!methods.has(method)) {
    throw outboundFailure('outbound_invalid_request', { message: `The method ${method} is not supported.` })
  }
  return { target: parseTarget(url), request: { method, headers: prepareHeaders(headers, accept), body } }
}

async function* finishAtEnd(
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

/** One request of a chain of redirects, not yet resolved or checked. */
interface Hop {
  readonly target: Target
  readonly request: WireRequest
}

const redirects = new Set([301, 302, 303, 307, 308])

function isRedirect(status: number, headers: ResponseHeaders): boolean {
  return redirects.has(status) && headers.location !== undefined
}

/** Creates the next request by the rules of browsers, except that it never leads from https to http. */
function followRedirect(from: Hop, status: number, headers: ResponseHeaders): Hop {
  const { location } = headers
  if (typeof location !== 'string' || !URL.canParse(location, from.target.url.href)) {
    throw outboundFailure('outbound_bad_response', {
      message: 'The host redirects to an invalid address.',
    })
  }
  const target = parseTarget(new URL(location, from.target.url))
  if (from.target.url.protocol === 'https:' && target.url.protocol === 'http:') throw refuse('downgrade')

  let { method, headers: requestHeaders, body } = from.request
  const becomesGet =
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST')
  if (becomesGet) {
    method = 'GET'
    body = undefined
    requestHeaders = dropContent(requestHeaders)
  }
  if (target.url.origin !== from.target.url.origin) requestHeaders = dropCredentials(requestHeaders)
  return { target, request: { method, headers: requestHeaders, body } }
}

interface RequestRecorder {
  /** Starts the timer of a request. Only the first call of `finish` counts. */
  start(url: string | URL): { finish(error?: unknown): void }
  /** Records a refused address; ignores other errors. */
  recordRefusal(url: string | URL, error: unknown): void
}

/** Records requests by outcome, and logs refused ones, which may be attempts to explore the network. */
function createRequestRecorder({
  log,
  metrics,
}: {
  readonly log: Logger
  readonly metrics?: Metrics
}): RequestRecorder {
  const seconds = metrics?.histogram({
    name: 'outbound_request_seconds',
    help: 'Duration of outbound requests by outcome.',
    labels: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  })
  const refusals = metrics?.counter({
    name: 'outbound_refusals_total',
    help: 'Refused outbound addresses by reason.',
    labels: ['reason'],
  })

  function recordRefusal(url: string | URL, error: unknown): void {
    if (!(error instanceof Failure) || error.code !== 'outbound_refused') return
    const reason = String(error.details.reason)
    refusals?.inc({ reason })
    log.warn({ host: hostOf(url), reason, because: error.cause }, 'outbound request refused')
  }

  return {
    recordRefusal,
    start(url) {
      const startedAt = performance.now()
      let finished = false
      return {
        finish(error) {
          if (finished) return
          finished = true
          seconds?.observe({ outcome: nameOutcome(error) }, (performance.now() - startedAt) / 1000)
          recordRefusal(url, error)
        },
      }
    },
  }
}

function nameOutcome(error: unknown): string {
  if (error === undefined) return 'answered'
  return error instanceof Failure ? error.code : 'cancelled'
}

/** Only the host is logged, because path and query of a webhook are often secret. */
function hostOf(url: string | URL): string {
  return URL.canParse(String(url)) ? new URL(String(url)).host : 'malformed'
}
