import { connect as connectTcp, isIPv6, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type buildConnector, Client } from 'undici'
import { Failure } from '#kernel/errors'
import { parseAddress } from './address.ts'
import type { Deadline } from './deadline.ts'
import { outboundFailure } from './errors.ts'
import type { PinnedTarget } from './pin-target.ts'
import type { RequestHeaders } from './request-headers.ts'

/** One request as it is sent. */
export interface WireRequest {
  readonly method: string
  readonly headers: RequestHeaders
  readonly body: string | Uint8Array | undefined
}

export interface WireBounds {
  readonly connectTimeoutMs: number
  readonly maxResponseBytes: number
  readonly certificates?: readonly string[]
}

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A response whose body has not been read. Reading the body to its end, or `close`, closes the connection. */
export interface Exchange {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: AsyncIterable<Buffer>
  readonly close: () => void
}

const maxHeaderBytes = 16_384

/**
 * Sends one request over a connection of its own. Connections are not reused: every request resolves and checks its address again, so no
 * check is outdated and no two names share a connection. Throws an outbound failure, or the reason of the deadline's signal.
 */
export async function exchange(
  target: PinnedTarget,
  request: WireRequest,
  bounds: WireBounds,
  deadline: Deadline,
): Promise<Exchange> {
  const client = new Client(target.url.origin, {
    connect: connectPinned(target, {
      ...bounds,
      timeoutMs: bounds.connectTimeoutMs,
      signal: deadline.signal,
    }),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: maxHeaderBytes,
    // The deadline limits the whole request; these would only limit the pauses.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const close = (): void => void client.destroy().catch(() => {})
  deadline.signal.addEventListener('abort', close, { once: true })
  try {
    const response = await client.request({
      path: target.url.pathname + target.url.search,
      method: request.method,
      headers: { ...request.headers },
      body: request.body ?? null,
      signal: deadline.signal,
      reset: true,
    })
    // Closing emits an error on the body, even if it is not read.
    response.body.on('error', () => {})
    const declared = Number(response.headers['content-length'])
    if (declared > bounds.maxResponseBytes && request.method !== 'HEAD') throw tooLarge(bounds)
    const body = readBody(response.body, bounds, deadline, close)
    return { status: response.statusCode, headers: response.headers, body, close }
  } catch (error) {
    close()
    throw explainError(error, deadline)
  }
}

async function* readBody(
  chunks: AsyncIterable<Buffer>,
  bounds: WireBounds,
  deadline: Deadline,
  close: () => void,
): AsyncGenerator<Buffer, void> {
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > bounds.maxResponseBytes) throw tooLarge(bounds)
      yield chunk
    }
  } catch (error) {
    throw explainError(error, deadline)
  } finally {
    close()
  }
}

function tooLarge({ maxResponseBytes }: WireBounds) {
  return outboundFailure('outbound_too_large', {
    message: `The response of the host is larger than ${maxResponseBytes} bytes.`,
    details: { maxResponseBytes },
  })
}

function explainError(error: unknown, deadline: Deadline): unknown {
  if (deadline.signal.aborted) return deadline.signal.reason
  if (error instanceof Failure) return error
  const name = error instanceof Error ? error.name : ''
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return outboundFailure('outbound_too_large', {
      message: 'The headers of the response are too large.',
      cause: error,
    })
  }
  if (code === 'UND_ERR_INVALID_ARG') return outboundFailure('outbound_invalid_request', { cause: error })
  if (name === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return outboundFailure('outbound_bad_response', { cause: error })
  }
  return outboundFailure('outbound_connection_lost', { cause: error })
}

interface ConnectOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Trusted certificates in PEM, instead of those of Node.js. */
  readonly certificates?: readonly string[]
}

// Limits each address, so that a silent one does not use up the time of the others.
const attemptTimeoutMs = 1000

/** Creates a connector that connects once, to the checked addresses and not to a new lookup of the name. */
function connectPinned(target: PinnedTarget, options: ConnectOptions): buildConnector.connector {
  let used = false
  return (_target, callback) => {
    // The client would reconnect when the first connection ends early; the caller decides about retries.
    if (used) {
      callback(outboundFailure('outbound_connection_lost'), null)
      return
    }
    used = true
    awaitConnection(startSocket(target, options), target, options, callback)
  }
}

function startSocket(target: PinnedTarget, { certificates }: ConnectOptions): Socket {
  const tcp = {
    host: target.host,
    port: target.port,
    lookup: lookupFrom(target.addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    noDelay: true,
  }
  if (target.url.protocol === 'http:') return connectTcp(tcp)
  return connectTls({
    ...tcp,
    ALPNProtocols: ['http/1.1'],
    ...(target.address === undefined && { servername: target.host }),
    ...(certificates !== undefined && { ca: [...certificates] }),
  })
}

function awaitConnection(
  socket: Socket,
  target: PinnedTarget,
  { timeoutMs, signal }: ConnectOptions,
  callback: buildConnector.Callback,
): void {
  let connected = false
  const timer = setTimeout(() => {
    fail(outboundFailure('outbound_timeout', { message: 'The host did not accept a connection in time.' }))
  }, timeoutMs)
  const settle = (): void => {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    socket.off('error', explain)
  }
  const fail = (error: Error): void => {
    settle()
    socket.destroy()
    callback(error, null)
  }
  // The caller gets the reason of the deadline's signal instead of this error.
  const cancel = (): void => fail(new Error('aborted while connecting'))
  const explain = (cause: unknown): void =>
    fail(outboundFailure(connected ? 'outbound_insecure' : 'outbound_unreachable', { cause }))

  signal.addEventListener('abort', cancel, { once: true })
  // Not removed: an abandoned socket may still emit an error.
  socket.on('error', () => {})
  socket.on('error', explain)
  socket.once('connect', () => {
    connected = true
    if (!isPinned(socket, target))
      fail(new Error(`connected to ${socket.remoteAddress}, which was not checked`))
  })
  socket.once(target.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
    if (socket.destroyed) return
    settle()
    callback(null, socket)
  })
}

/** A lookup function that returns the checked addresses, so that no second lookup can differ from the first. */
function lookupFrom(addresses: readonly string[]): LookupFunction {
  const results = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, options, callback) => {
    const [first] = results
    if (options.all === true) callback(null, results)
    else callback(null, first?.address ?? '', first?.family ?? 4)
  }
}

/** Final check: the socket must be connected to a checked address. */
function isPinned(socket: Socket, target: PinnedTarget): boolean {
  const remote = parseAddress(socket.remoteAddress ?? '')?.toString()
  return remote !== undefined && target.addresses.includes(remote)
}
