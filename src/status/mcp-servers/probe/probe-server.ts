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
import type { McpFinding, McpIntroduction, McpTransport, Secrets } from '../server.ts'
import { type ChildTransport, createChildTransport } from './child-transport.ts'
import { type Hide, hideSecrets } from './hide-secrets.ts'

export interface ProbeOptions {
  readonly transport: McpTransport
  readonly secrets: Secrets
  readonly outbound: Pick<Outbound, 'stream'>
  /** For all of it: start, `initialize`, `tools/list`. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly version: string
}

/** Of everything a server says in one probe. */
const maxResponseBytes = 1024 * 1024
const maxPages = 20
const farewellMs = 500
/** The revision without a handshake, for servers that speak no other. */
const withoutHandshake: VersionNegotiationMode = { pin: '2026-07-28' }

/**
 * Asks a server who it is and which tools it has, as every client of the protocol does. Whatever it does instead is a finding, never an
 * error, and nothing of it is left running.
 */
export async function probeServer(options: ProbeOptions): Promise<McpFinding> {
  const startedAt = performance.now()
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
  const tookMs = () => Math.round(performance.now() - startedAt)
  const first = await visit(options, 'legacy', signal, startedAt)
  if ('introduction' in first) return { tookMs: tookMs(), introduction: first.introduction }
  // Its refusal may mean that it knows only the newest revision, which begins without a handshake.
  const second =
    first.refusedHandshake && !signal.aborted
      ? await visit(options, withoutHandshake, signal, startedAt)
      : undefined
  if (second !== undefined && 'introduction' in second) {
    return { tookMs: tookMs(), introduction: second.introduction }
  }
  return { tookMs: tookMs(), error: first.error }
}

async function visit(
  options: ProbeOptions,
  mode: VersionNegotiationMode,
  deadline: AbortSignal,
  startedAt: number,
) {
  const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - startedAt))
  const broken = new AbortController()
  const signal = AbortSignal.any([deadline, broken.signal])
  const hide = hideSecrets(options.secrets)
  const { transport, leave, complaint } = open(options, timeoutMs, hide, (reason) => broken.abort(reason))
  const client = new Client(
    { name: 'tutti', version: options.version },
    { versionNegotiation: { mode }, listMaxPages: maxPages },
  )
  let phase = 'initialize'
  try {
    await within(signal, client.connect(transport, { signal, timeout: timeoutMs }))
    phase = 'tools/list'
    const { tools } = await within(signal, client.listTools(undefined, { signal, timeout: timeoutMs }))
    return { introduction: introduce(client, tools, hide) }
  } catch (error) {
    const refusedHandshake = phase === 'initialize' && isRefusal(error)
    return {
      refusedHandshake,
      error: explainFailure(broken.signal.aborted ? broken.signal.reason : error, {
        phase,
        signal: deadline,
        complaint: complaint(),
        timeoutMs: options.timeoutMs,
        hide,
      }),
    }
  } finally {
    await leave()
    await client.close().catch(() => {})
  }
}

/** A way to the server, and how to leave it. */
function open(
  { transport, secrets, outbound }: ProbeOptions,
  timeoutMs: number,
  hide: Hide,
  onBreak: (reason: unknown) => void,
): Visit {
  if (transport.type === 'stdio') {
    const child: ChildTransport = createChildTransport({
      ...transport,
      env: secrets,
      maxBytes: maxResponseBytes,
      hide,
    })
    return { transport: child, leave: () => child.close(), complaint: () => child.complaint() }
  }
  const http = new StreamableHTTPClientTransport(new URL(transport.url), {
    requestInit: { headers: { ...secrets } },
    fetch: createOutboundFetch({
      outbound,
      timeoutMs: timeoutMs + farewellMs,
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
    // A session that was opened for us is of no use to anybody else.
    async leave() {
      if (http.sessionId === undefined) return
      await within(AbortSignal.timeout(farewellMs), http.terminateSession()).catch(() => {})
    },
    complaint: () => undefined,
  }
}

interface Visit {
  readonly transport: Transport
  readonly leave: () => Promise<void>
  readonly complaint: () => string | undefined
}

/** Not every step of a client ends with its signal. */
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

/** What servers say to a handshake they have never heard of: no such method, or no such version. */
const unknownHandshake = new Set([-32_601, -32_022])

function isRefusal(error: unknown): boolean {
  if (error instanceof ProtocolError) return unknownHandshake.has(error.code)
  return error instanceof SdkHttpError && error.status === 400
}

const maxToolsKept = 200

/** What a server has said of itself, as much of it as is worth keeping. */
function introduce(
  client: Pick<Client, 'getServerVersion' | 'getNegotiatedProtocolVersion'>,
  tools: readonly Tool[],
  hide: Hide,
): McpIntroduction {
  const server = client.getServerVersion()
  const clip = (text: string, most: number) =>
    hide(text).toWellFormed().replaceAll('\0', '\uFFFD').slice(0, most)
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
  /** Of all answers together. */
  readonly maxBytes: number
  /** Hears of an answer to a question that broke off. The client itself would wait for more of it. */
  readonly onBreak: (reason: unknown) => void
}

/** Answers without a body, which a Response may not be given one for. */
const bodiless = new Set([204, 205, 304])

/** A fetch that goes through the guard for foreign addresses, and is bounded as a whole. */
function createOutboundFetch(options: OutboundFetchOptions): FetchLike {
  const { outbound, timeoutMs, maxBytes, onBreak } = options
  const startedAt = performance.now()
  let bytesLeft = maxBytes

  async function* counted(body: AsyncIterable<Buffer>, isAnswer: boolean): AsyncGenerator<Buffer, void> {
    try {
      for await (const chunk of body) {
        bytesLeft -= chunk.length
        yield chunk
      }
    } catch (error) {
      if (isAnswer) onBreak(error)
      throw error
    }
  }

  return async (url, init = {}) => {
    const { accept, ...headers } = Object.fromEntries(new Headers(init.headers))
    const answer = await outbound.stream(url, {
      account: 'platform',
      method: readMethod(init.method),
      headers,
      ...(accept !== undefined && { accept }),
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
      timeoutMs: Math.max(1, timeoutMs - (performance.now() - startedAt)),
      maxResponseBytes: Math.max(0, bytesLeft),
    })
    const told = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const one of [value ?? []].flat()) told.append(name, one)
    }
    if (bodiless.has(answer.status)) {
      await answer[Symbol.asyncDispose]()
      return new Response(null, { status: answer.status, headers: told })
    }
    return new Response(ReadableStream.from(counted(answer.body, init.method === 'POST')), {
      status: answer.status,
      headers: told,
    })
  }
}

function readMethod(method = 'GET'): 'GET' | 'POST' | 'DELETE' {
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method
  throw kernelFailure('invalid_input', { message: `The protocol has no ${method}.` })
}

interface Circumstances {
  /** The question that was not answered well. */
  readonly phase: string
  readonly signal: AbortSignal
  /** What is known of a program that did not do what it should. */
  readonly complaint: string | undefined
  readonly timeoutMs: number
  readonly hide: Hide
}

const longest = 500

/** Why a server is not well, in a sentence for whoever looks after it. */
function explainFailure(error: unknown, circumstances: Circumstances): string {
  const sentence = circumstances.hide(sentenceFor(error, circumstances))
  return sentence.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, longest)
}

function sentenceFor(error: unknown, { phase, signal, complaint, timeoutMs }: Circumstances): string {
  if (error instanceof ProtocolError) return `It answered ${phase} with an error: ${error.message}`
  if (isTimeout(error, signal)) {
    const silence = `It did not answer ${phase} within ${timeoutMs / 1000} s.`
    return complaint === undefined ? silence : `${silence} ${complaint}`
  }
  if (complaint !== undefined) return complaint
  const refused = failureIn(error)
  if (refused !== undefined) return refused.message
  if (error instanceof SdkHttpError && error.status !== undefined) return explainStatus(error.status, phase)
  if (error instanceof SdkError) return explainSdk(error, phase)
  if (error instanceof Error && error.name === 'UnauthorizedError') return explainStatus(401, phase)
  const told = error instanceof Error ? `: ${error.message}` : '.'
  return `Its answer to ${phase} is not one of the protocol${told}`
}

function isTimeout(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return true
  if (error instanceof SdkError) return error.code === SdkErrorCode.RequestTimeout
  return failureIn(error)?.code === 'outbound_timeout'
}

/** What our own guard says stands somewhere in the causes. */
function failureIn(error: unknown): Failure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Failure) return cause
  }
  return undefined
}

function explainStatus(status: number, phase: string): string {
  if (status === 401) return 'It wants to know who asks (status 401): give it a header with a credential.'
  if (status === 403) return 'It refuses us (status 403): the credential does not reach that far.'
  if (status === 404) return 'There is nothing at this address (status 404).'
  if (status >= 300 && status < 400) return `It leads elsewhere (status ${status}): use that address.`
  return `It answered ${phase} with status ${status}.`
}

function explainSdk(error: SdkError, phase: string): string {
  switch (error.code) {
    case SdkErrorCode.ConnectionClosed:
      return `It ended the connection before it had answered ${phase}.`
    case SdkErrorCode.ListPaginationExceeded:
      return 'Its list of tools has no end.'
    case SdkErrorCode.InvalidResult:
      return `Its answer to ${phase} is not valid: ${error.message}`
    default:
      return `Its answer to ${phase} is not one of the protocol: ${error.message}`
  }
}
