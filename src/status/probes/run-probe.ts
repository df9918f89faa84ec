import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Probe, ProbeResult, ServiceMetadata, ServiceState } from '../services/service.ts'

interface RequestOptions {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: object
  readonly signal: AbortSignal
}

export interface JsonResponse {
  readonly status: number
  /** Undefined when it is not JSON. */
  readonly json: unknown
  readonly ms: number
}

const maxResponseBytes = 4 * 1024 * 1024

/**
 * Requests an address that the operator configured. It may be on a private network, which the outbound guard refuses, so this is plain undici
 * with its own size limit. No connection outlives its response, so a later probe never meets a closed one.
 */
export async function requestJson(
  url: string,
  { method = 'GET', headers = {}, body, signal }: RequestOptions,
): Promise<JsonResponse> {
  const agent = new Agent({ pipelining: 0, maxResponseSize: maxResponseBytes })
  const startedAt = performance.now()
  try {
    const response = await request(url, {
      dispatcher: agent,
      method,
      signal,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.body.text()
    return { status: response.statusCode, json: parseJson(text), ms: performance.now() - startedAt }
  } finally {
    await agent.destroy()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Why a request got no response, as part of a sentence. */
export function explainNoResponse(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'the response is too large'
  return code === undefined ? 'unreachable' : `unreachable (${code})`
}

/** The result of a probe after the time limits are applied. */
export interface ProbeOutcome {
  readonly state: ServiceState
  readonly text: string
  /** Null without a response. */
  readonly responseMs: number | null
  readonly metadata: ServiceMetadata
  readonly traffic?: ProbeResult['traffic']
}

interface ProbeLimits {
  readonly timeoutMs: number
  readonly slowMs: number
  readonly signal: AbortSignal
}

/** How long a probe may take to end after its signal aborts. */
const abortTimeoutMs = 3000

const emptyMetadata: ServiceMetadata = { version: null, models_loaded: null, memory_usage: null }

/** Runs a probe with a timeout. A failure is a result; it throws only when `signal` aborts. */
export async function runProbe(
  probe: Probe,
  { timeoutMs, slowMs, signal }: ProbeLimits,
): Promise<ProbeOutcome> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(timeoutMs)
  const finished = new AbortController()
  try {
    const result = await Promise.race([
      probe(AbortSignal.any([signal, timeout])),
      sleep(timeoutMs + abortTimeoutMs, undefined, { signal: AbortSignal.any([signal, finished.signal]) }),
    ])
    if (result === undefined) return timedOut(timeoutMs)
    const { state, problem, metadata = {}, traffic } = result
    const known = { ...emptyMetadata, ...metadata }
    const { responseMs = performance.now() - startedAt } = result
    // An unconfigured service has no response time.
    const answeredMs = state === 'unconfigured' ? null : responseMs
    if (state === 'online' && answeredMs !== null && answeredMs > slowMs) {
      const text = `Slow: responded in ${Math.round(answeredMs)} ms, the limit is ${slowMs} ms.`
      return { state: 'degraded', text, responseMs: answeredMs, metadata: known, traffic }
    }
    return {
      state,
      text: problem ?? describeResponseTime(answeredMs),
      responseMs: answeredMs,
      metadata: known,
      traffic,
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (timeout.aborted) return timedOut(timeoutMs)
    const text = `No response: ${explainNoResponse(error)}.`
    return { state: 'offline', text, responseMs: null, metadata: emptyMetadata }
  } finally {
    finished.abort()
  }
}

function describeResponseTime(ms: number | null): string {
  if (ms === null) return 'Online.'
  return ms < 1 ? 'Responded in less than 1 ms.' : `Responded in ${Math.round(ms)} ms.`
}

function timedOut(timeoutMs: number): ProbeOutcome {
  return {
    state: 'offline',
    text: `No response within ${timeoutMs / 1000} s.`,
    responseMs: null,
    metadata: emptyMetadata,
  }
}
