import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Probe, ProbeResult, ServiceMetadata, ServiceState } from '../services/service.ts'

interface Asked {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: object
  readonly signal: AbortSignal
}

export interface Answer {
  readonly status: number
  /** Undefined when it is not JSON. */
  readonly json: unknown
  readonly ms: number
}

const maxAnswerBytes = 4 * 1024 * 1024

/**
 * Asks an address of the operator's own, who means the private networks that the guard for outbound calls exists to refuse; so this is
 * plain undici with a bound of its own. No connection outlives its answer, so none is found closed later.
 */
export async function ask(
  url: string,
  { method = 'GET', headers = {}, body, signal }: Asked,
): Promise<Answer> {
  const agent = new Agent({ pipelining: 0, maxResponseSize: maxAnswerBytes })
  const startedAt = performance.now()
  try {
    const answer = await request(url, {
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
    const text = await answer.body.text()
    return { status: answer.statusCode, json: parseJson(text), ms: performance.now() - startedAt }
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

/** Why nobody answered, for people. */
export function explainNoAnswer(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === 'ECONNREFUSED') return 'nobody listens there'
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'it answered without end'
  return code === undefined ? 'it could not be reached' : `it could not be reached (${code})`
}

/** What a probe saw, judged by how long it may take. */
export interface Seen {
  readonly state: ServiceState
  readonly text: string
  /** Null when nobody answered. */
  readonly responseMs: number | null
  readonly metadata: ServiceMetadata
  readonly traffic?: ProbeResult['traffic']
}

interface LookRules {
  readonly timeoutMs: number
  readonly slowMs: number
  readonly signal: AbortSignal
}

/** So long a probe may take to end after its time is up. */
const graceMs = 3000

const nothingKnown: ServiceMetadata = { version: null, models_loaded: null, memory_usage: null }

/** Runs a probe within its time. Never throws: a service that fails is a result too. */
export async function look(probe: Probe, { timeoutMs, slowMs, signal }: LookRules): Promise<Seen> {
  const startedAt = performance.now()
  const timeIsUp = AbortSignal.timeout(timeoutMs)
  const over = new AbortController()
  try {
    const result = await Promise.race([
      probe(AbortSignal.any([signal, timeIsUp])),
      sleep(timeoutMs + graceMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }),
    ])
    if (result === undefined) return lateSeen(timeoutMs)
    const { state, problem, metadata = {}, traffic } = result
    const known = { ...nothingKnown, ...metadata }
    const { responseMs = performance.now() - startedAt } = result
    // Whoever is not there was not asked, whatever it took to find that out.
    const answeredMs = state === 'unconfigured' ? null : responseMs
    if (state === 'online' && answeredMs !== null && answeredMs > slowMs) {
      const text = `Slow: it took ${Math.round(answeredMs)} ms to answer, and ${slowMs} ms is the most that is well.`
      return { state: 'degraded', text, responseMs: answeredMs, metadata: known, traffic }
    }
    return { state, text: problem ?? wellIn(answeredMs), responseMs: answeredMs, metadata: known, traffic }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (timeIsUp.aborted) return lateSeen(timeoutMs)
    const text = `It does not answer: ${explainNoAnswer(error)}.`
    return { state: 'offline', text, responseMs: null, metadata: nothingKnown }
  } finally {
    over.abort()
  }
}

function wellIn(ms: number | null): string {
  if (ms === null) return 'It is well.'
  return ms < 1 ? 'It answers in less than 1 ms.' : `It answers in ${Math.round(ms)} ms.`
}

function lateSeen(timeoutMs: number): Seen {
  return {
    state: 'offline',
    text: `It did not answer within ${timeoutMs / 1000} s.`,
    responseMs: null,
    metadata: nothingKnown,
  }
}
