import {
  Client,
  type FetchLike,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import type { McpProbeResult, McpServerInfo, McpTransport, Secrets } from '../server.ts'
import { type ChildTransport, createChildTransport } from './child-transport.ts'
import { type Redact, redactSecrets } from './redact-secrets.ts'

export interface ProbeOptions {
  readonly transport: McpTransport
  readonly secrets: Secrets
  readonly outbound: Pick<Outbound, 'stream'>
  /** For start, `initialize` and `tools/list` together. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly version: string
}

/** Limit of all responses of one probe. */
const maxResponseBytes = 1024 * 1024
const maxPages = 20
const closeTimeoutMs = 500
/** The protocol revision without a handshake, for servers that support no other. */
const withoutHandshake: VersionNegotiationMode = { pin: '2026-07-28' }

/**
 * Connects to a server and lists its tools, as every client of the protocol does. Never throws: a failure is part of the result. No process or
 * connection outlives the probe.
 */
export async function probeServer(options: ProbeOptions): Promise<McpProbeResult> {
  const startedAt = performance.now()
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
  const tookMs = () => Math.round(performance.now() - startedAt)
  const first = await connectAndList(options, 'legacy', signal, startedAt)
  if ('info' in first) return { tookMs: tookMs(), info: first.info }
  // The server may support only the newest revision, which has no handshake.
  const second =
    first.refusedHandshake && !signal.aborted
      ? await connectAndList(options, withoutHandshake, signal, startedAt)
      : undefined
  if (second !== undefined && 'info' in second) {
    return { tookMs: tookMs(), info: second.info }
  }
  return { tookMs: tookMs(), error: first.error }
}

async function connectAndList(
  options: ProbeOptions,
  mode: VersionNegotiationMode,
  deadline: AbortSignal,
  startedAt: number,
) {
  const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - startedAt))
  const broken = new AbortController()
  const signal = AbortSignal.any([deadline, broken.signal])
  const redact = redactSecrets(options.secrets)
  const { transport, disconnect, problem } = open(options, timeoutMs, redact, (reason) =>
    broken.abort(reason),
  )
  const client = new Client(
    { name: 'tutti', version: options.version },
    { versionNegotiation: { mode }, listMaxPages: maxPages },
  )
  let phase = 'initialize'
  try {
    await within(signal, client.connect(transport, { signal, timeout: timeoutMs }))
    phase = 'tools/list'
    const { tools } = await within(signal, client.listTools(undefined, { signal, timeout: timeoutMs }))
    return { info: serverInfoOf(client, tools, redact) }
  } catch (error) {
    const refusedHandshake = phase === 'initialize' && isRefusal(error)
    return {
      refusedHandshake,
      error: explainFailure(broken.signal.aborted ? broken.signal.reason : error, {
        phase,
        signal: deadline,
        problem: problem(),
        timeoutMs: options.timeoutMs,
        redact,
      }),
    }
  } finally {
    await disconnect()
    await client.close().catch(() => {})
  }
}

/** Opens the transport to the server. */
function open(
  { transport, secrets, outbound }: ProbeOptions,
  timeoutMs: number,
  redact: Redact,
  onBreak: (reason: unknown) => void,
): Connection {
  if (transport.type === 'stdio') {
    const child: ChildTransport = createChildTransport({
      ...transport,
      env: secrets,
      maxBytes: maxResponseBytes,
      redact,
    })
    return { transport: child, disconnect: () => child.close(), problem: () => child.problem() }
  }
  const http = new StreamableHTTPClientTransport(new URL(transport.url), {
    requestInit: { headers: { ...secrets } },
    fetch: createOutboundFetch({
      outbound,
      timeoutMs: timeoutMs + closeTimeoutMs,
      maxBytes: maxResponseBytes,
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
    // The session was opened for this probe only.
    async disconnect() {
      if (http.sessionId === undefined) return
      await within(AbortSignal.timeout(closeTimeoutMs), http.terminateSession()).catch(() => {})
    },
    problem: () => undefined,
  }
}

interface Connection {
  readonly transport: Transport
  readonly disconnect: () => Promise<void>
  readonly problem: () => string | undefined
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

const maxToolsKept = 200

/** The server's description of itself and its tools, clipped to what is stored. */
function serverInfoOf(
  client: Pick<Client, 'getServerVersion' | 'getNegotiatedProtocolVersion'>,
  tools: readonly Tool[],
  redact: Redact,
): McpServerInfo {
  const server = client.getServerVersion()
  const clip = (text: string, most: number) =>
    redact(text).toWellFormed().replaceAll('\0', '\uFFFD').slice(0, most)
  const clipMaybe = (text: string | undefined, most: number) =>
    text === undefined || text === '' ? null : clip(text, most)
  return {
    serverName: clip(server?.title ?? server?.name ?? '', 200),
    serverVersion: clip(server?.version ?? '', 100),
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    tools: tools.slice(0, maxToolsKept).map(({ name, title, annotations, description }) => ({
      name: clip(name, 200),
      title: clipMaybe(title ?? annotations?.title, 200),
      description: clipMaybe(description, 500),
    })),
    toolsTotal: tools.length,
  }
}

interface OutboundFetchOptions {
  readonly outbound: Pick<Outbound, 'stream'>
  /** For all requests together, to the last byte. */
  readonly timeoutMs: number
  /** Of all responses together. */
  readonly maxBytes: number
  /** Called when the response to a request breaks off. The client itself would keep waiting. */
  readonly onBreak: (reason: unknown) => void
}

/** Statuses without a body: the Response constructor rejects one. */
const bodiless = new Set([204, 205, 304])

/** A fetch through the outbound guard, with one time and size limit for all requests. */
function createOutboundFetch(options: OutboundFetchOptions): FetchLike {
  const { outbound, timeoutMs, maxBytes, onBreak } = options
  const startedAt = performance.now()
  let bytesLeft = maxBytes

  async function* counted(body: AsyncIterable<Buffer>, isResponse: boolean): AsyncGenerator<Buffer, void> {
    try {
      for await (const chunk of body) {
        bytesLeft -= chunk.length
        yield chunk
      }
    } catch (error) {
      if (isResponse) onBreak(error)
      throw error
    }
  }

  return async (url, init = {}) => {
    const { accept, ...headers } = Object.fromEntries(new Headers(init.headers))
    const response = await outbound.stream(url, {
      account: 'platform',
      method: readMethod(init.method),
      headers,
      ...(accept !== undefined && { accept }),
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
      timeoutMs: Math.max(1, timeoutMs - (performance.now() - startedAt)),
      maxResponseBytes: Math.max(0, bytesLeft),
    })
    const responseHeaders = new Headers()
    for (const [name, value] of Object.entries(response.headers)) {
      for (const one of [value ?? []].flat()) responseHeaders.append(name, one)
    }
    if (bodiless.has(response.status)) {
      await response[Symbol.asyncDispose]()
      return new Response(null, { status: response.status, headers: responseHeaders })
    }
    return new Response(ReadableStream.from(counted(response.body, init.method === 'POST')), {
      status: response.status,
      headers: responseHeaders,
    })
  }
}

function readMethod(method = 'GET'): 'GET' | 'POST' | 'DELETE' {
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method
  throw kernelFailure('invalid_input', { message: `The protocol does not use the method ${method}.` })
}

interface Circumstances {
  /** The request that failed. */
  readonly phase: string
  readonly signal: AbortSignal
  /** The error of the program; undefined when unknown. */
  readonly problem: string | undefined
  readonly timeoutMs: number
  readonly redact: Redact
}

const maxErrorLength = 500

/** Why a probe failed, as a sentence for the administrator. */
function explainFailure(error: unknown, circumstances: Circumstances): string {
  const sentence = circumstances.redact(sentenceFor(error, circumstances))
  return sentence.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, maxErrorLength)
}

function sentenceFor(error: unknown, { phase, signal, problem, timeoutMs }: Circumstances): string {
  if (error instanceof ProtocolError) return `The server returned an error for ${phase}: ${error.message}`
  if (isTimeout(error, signal)) {
    const silence = `No response to ${phase} within ${timeoutMs / 1000} s.`
    return problem === undefined ? silence : `${silence} ${problem}`
  }
  if (problem !== undefined) return problem
  const refused = failureIn(error)
  if (refused !== undefined) return refused.message
  if (error instanceof SdkHttpError && error.status !== undefined) return explainStatus(error.status, phase)
  if (error instanceof SdkError) return explainSdk(error, phase)
  if (error instanceof Error && error.name === 'UnauthorizedError') return explainStatus(401, phase)
  const reason = error instanceof Error ? `: ${error.message}` : '.'
  return `The response to ${phase} does not follow the protocol${reason}`
}

function isTimeout(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return true
  if (error instanceof SdkError) return error.code === SdkErrorCode.RequestTimeout
  return failureIn(error)?.code === 'outbound_timeout'
}

/** A refusal by the outbound guard is one of the causes. */
function failureIn(error: unknown): Failure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Failure) return cause
  }
  return undefined
}

function explainStatus(status: number, phase: string): string {
  if (status === 401) return 'Authentication required (status 401): add a header with a credential.'
  if (status === 403) return 'Access denied (status 403): the credential lacks permission.'
  if (status === 404) return 'Not found (status 404): check the address.'
  if (status >= 300 && status < 400)
    return `The server redirects (status ${status}): use the address it redirects to.`
  return `The server answered ${phase} with status ${status}.`
}

function explainSdk(error: SdkError, phase: string): string {
  switch (error.code) {
    case SdkErrorCode.ConnectionClosed:
      return `The server closed the connection before it answered ${phase}.`
    case SdkErrorCode.ListPaginationExceeded:
      return 'The list of tools has too many pages.'
    case SdkErrorCode.InvalidResult:
      return `The response to ${phase} is not valid: ${error.message}`
    default:
      return `The response to ${phase} does not follow the protocol: ${error.message}`
  }
}
