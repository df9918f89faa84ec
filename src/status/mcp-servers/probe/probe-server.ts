import {
  Client,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import type { Outbound } from '#kernel/outbound'
import type { McpFinding, McpTransport, Secrets } from '../server.ts'
import { type ChildTransport, createChildTransport } from './child-transport.ts'
import { explainFailure } from './explain-failure.ts'
import { type Hide, hideSecrets } from './hide-secrets.ts'
import { introduce } from './introduce.ts'
import { createOutboundFetch } from './outbound-fetch.ts'

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
const maxBytes = 1024 * 1024
const mostPages = 20
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
    { versionNegotiation: { mode }, listMaxPages: mostPages },
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
    const child: ChildTransport = createChildTransport({ ...transport, env: secrets, maxBytes, hide })
    return { transport: child, leave: () => child.close(), complaint: () => child.complaint() }
  }
  const http = new StreamableHTTPClientTransport(new URL(transport.url), {
    requestInit: { headers: { ...secrets } },
    fetch: createOutboundFetch({ outbound, timeoutMs: timeoutMs + farewellMs, maxBytes, onBreak }),
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
