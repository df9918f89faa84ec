import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import type { Outbound } from '#kernel/outbound'
import type { McpTransport, Secrets } from '../server.ts'
import { createChildTransport } from './child-transport.ts'
import { ConnectionFailure } from './connection-failure.ts'
import { explainFailure } from './explain-failure.ts'
import { createOutboundFetch, createRequestLimits, type RequestLimits } from './outbound-fetch.ts'
import { type Redact, redactSecrets } from './redact-secrets.ts'

export interface ConnectOptions {
  readonly transport: McpTransport
  readonly secrets: Secrets
  readonly outbound: Pick<Outbound, 'stream'>
  /** The account of the requests; `platform` for the platform's own. */
  readonly account: string
  /** For the start, `initialize` and all that follows until the limits are renewed. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly version: string
}

interface RequestOptions {
  readonly timeoutMs: number
  /** The time that a message names, where the request is part of something longer. */
  readonly namedMs?: number
  readonly signal: AbortSignal
}

/** A connection to a server. No process outlives its `close`. */
export interface McpConnection {
  /** Sends a request of the protocol. Throws a ConnectionFailure, or the reason of the signal of the caller. */
  request<Value>(
    phase: string,
    options: RequestOptions,
    send: (
      client: Client,
      sending: { readonly signal: AbortSignal; readonly timeout: number },
    ) => Promise<Value>,
  ): Promise<Value>
  readonly client: Pick<Client, 'getServerVersion' | 'getNegotiatedProtocolVersion'>
  /** Removes the secrets of the server from a text. */
  readonly redact: Redact
  /** Whether the server has closed the connection, or a response broke off. */
  isBroken(): boolean
  close(): Promise<void>
}

/** Limit of all responses to one call, or of one probe. */
const maxResponseBytes = 1024 * 1024
const maxPages = 20
const closeTimeoutMs = 500
/** The protocol revision without a handshake, for servers that support no other. */
const withoutHandshake: VersionNegotiationMode = { pin: '2026-07-28' }

/** Schemas of servers are not compiled here: a hostile one would block the process. */
const noValidator = {
  getValidator: () => (input: unknown) => ({
    valid: true as const,
    data: input as never,
    errorMessage: undefined,
  }),
}

/** Connects to a server. Throws a ConnectionFailure, or the reason of the signal. */
export async function connect(options: ConnectOptions): Promise<McpConnection> {
  const startedAt = performance.now()
  const first = await connectWith(options, 'legacy', options.timeoutMs)
  if (!('error' in first)) return first
  // The server may support only the newest revision, which has no handshake.
  const leftMs = options.timeoutMs - (performance.now() - startedAt)
  const second =
    first.refusedHandshake && leftMs > 0 && !options.signal.aborted
      ? await connectWith(options, withoutHandshake, leftMs)
      : undefined
  if (second !== undefined && !('error' in second)) return second
  options.signal.throwIfAborted()
  throw new ConnectionFailure(first.error)
}

async function connectWith(options: ConnectOptions, mode: VersionNegotiationMode, timeoutMs: number) {
  const { version, signal } = options
  const broken = new AbortController()
  const redact = redactSecrets(options.secrets)
  const limits = createRequestLimits(timeoutMs + closeTimeoutMs, maxResponseBytes)
  const opened = open(options, { limits, redact, onBreak: (reason) => broken.abort(reason) })
  const client = new Client(
    { name: 'tutti', version },
    { versionNegotiation: { mode }, listMaxPages: maxPages, jsonSchemaValidator: noValidator },
  )

  async function close(): Promise<void> {
    await opened.disconnect()
    await client.close().catch(() => {})
  }

  const connection: McpConnection = {
    client,
    redact,
    isBroken: () => broken.signal.aborted,
    close,
    async request(phase, { timeoutMs: givenMs, namedMs = givenMs, signal: outer }, send) {
      const deadline = AbortSignal.any([outer, AbortSignal.timeout(Math.ceil(givenMs))])
      const either = AbortSignal.any([deadline, broken.signal])
      limits.renew(givenMs)
      opened.renew()
      try {
        return await within(either, send(client, { signal: either, timeout: givenMs }))
      } catch (error) {
        outer.throwIfAborted()
        throw new ConnectionFailure(
          explainFailure(broken.signal.aborted ? broken.signal.reason : error, {
            phase,
            signal: deadline,
            problem: opened.problem(),
            timeoutMs: namedMs,
            redact,
          }),
          { cause: error },
        )
      }
    },
  }
  try {
    await connection.request('initialize', { timeoutMs, signal }, (it, sending) =>
      it.connect(opened.transport, sending),
    )
    // Only now: a refused handshake closes the transport, too, and its own error says more.
    const closed = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed')
    Object.assign(client, { onclose: () => broken.abort(closed) })
    return connection
  } catch (error) {
    await close()
    if (!(error instanceof ConnectionFailure)) throw error
    return { error: error.message, refusedHandshake: isRefusal(error.cause) }
  }
}

interface OpenTransport {
  readonly transport: Transport
  readonly disconnect: () => Promise<void>
  /** Grants a call its own output. */
  readonly renew: () => void
  readonly problem: () => string | undefined
}

interface OpenOptions {
  readonly limits: RequestLimits
  readonly redact: Redact
  readonly onBreak: (reason: unknown) => void
}

function open(
  { transport, secrets, outbound, account }: ConnectOptions,
  { limits, redact, onBreak }: OpenOptions,
): OpenTransport {
  if (transport.type === 'stdio') {
    const child = createChildTransport({ ...transport, env: secrets, maxBytes: maxResponseBytes, redact })
    return {
      transport: child,
      disconnect: () => child.close(),
      renew: () => child.renew(),
      problem: () => child.problem(),
    }
  }
  const http = new StreamableHTTPClientTransport(new URL(transport.url), {
    requestInit: { headers: { ...secrets } },
    fetch: createOutboundFetch({
      outbound,
      account,
      confidential: Object.keys(secrets).length > 0,
      limits,
      onBreak,
    }),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 0,
      maxReconnectionDelay: 0,
      reconnectionDelayGrowFactor: 1,
    },
  })
  return {
    transport: http,
    // The session was opened for this connection only.
    async disconnect() {
      if (http.sessionId === undefined) return
      limits.renew(closeTimeoutMs)
      await within(AbortSignal.timeout(closeTimeoutMs), http.terminateSession()).catch(() => {})
    },
    renew: () => {},
    problem: () => undefined,
  }
}

/** Some calls of the client ignore the abort signal. */
async function within<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
    work.catch(() => {})
  }
}

/** JSON-RPC codes for an unknown handshake: method not found, unsupported version. */
const unknownHandshake = new Set([-32_601, -32_022])

function isRefusal(error: unknown): boolean {
  if (error instanceof ProtocolError) return unknownHandshake.has(error.code)
  return error instanceof SdkHttpError && error.status === 400
}
