import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '#kernel/errors'
import type { Outbound, OutboundFailureCode, OutboundResponse } from '#kernel/outbound'
import type { ExternalApiStep } from '../definition/step-types.ts'
import { durationMs } from '../definition/values.ts'
import { asText } from '../expressions/paths.ts'
import { fillText, fillValue, reportMissing } from '../expressions/templates.ts'
import { noUsage, StepFailure, type StepUsage } from './step-failure.ts'
import { type StepExecutor, type StepRun } from './step-run.ts'

const defaultTimeoutMs = 30_000
const firstPauseMs = 500
const maxPauseMs = 30_000

/** Calls an external API. A call may be repeated after a crash, so it carries an idempotency key. */
export function createExternalApiExecutor(
  outbound: Pick<Outbound, 'request'>,
): StepExecutor<ExternalApiStep> {
  return async (run) => {
    const { step, signal, log } = run
    const request = prepare(run)
    const maxAttempts = 1 + (step.api.retry_attempts ?? 0)
    let usage = noUsage
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = performance.now()
      const response = await outbound
        .request(request.url, { ...request.options, signal })
        .catch((error: unknown) => {
          signal.throwIfAborted()
          return asFailure(error)
        })
      const apiMs = performance.now() - startedAt
      usage = addCall(usage, apiMs)
      const failure = response instanceof Failure ? explain(response, usage) : checkStatus(response, usage)
      if (failure === undefined) return resultOf(response as OutboundResponse, request, usage, apiMs)
      if (attempt >= maxAttempts || failure.code === 'EXTERNAL_API_REFUSED' || !isTransient(response))
        throw failure
      const pauseMs = Math.min(
        Math.max(firstPauseMs * 2 ** (attempt - 1), failure.retryAfterMs ?? 0),
        maxPauseMs,
      )
      log('info', `The call failed and is retried: ${failure.message}`, { attempt, pause: pauseMs / 1000 })
      await pause(pauseMs, undefined, { signal })
    }
  }
}

interface Prepared {
  readonly url: string
  readonly options: Parameters<Outbound['request']>[1]
}

function prepare(run: StepRun<ExternalApiStep>): Prepared {
  const { step, path, scope, accountId, executionId, item } = run
  const { api } = step
  // Values are percent-encoded, so that a value cannot add a path segment or a query to the URL.
  const url = fillText(api.url, scope, (value) => encodeURIComponent(asText(value)))
  const headers = fillValue(api.headers ?? {}, scope)
  const body = fillValue(api.body, scope)
  reportMissing(run, [...new Set([...url.missing, ...headers.missing, ...body.missing])])
  const method = api.method ?? (api.body === undefined ? 'GET' : 'POST')
  return {
    url: url.value,
    options: {
      account: accountId,
      method,
      timeoutMs: api.timeout === undefined ? defaultTimeoutMs : durationMs(api.timeout),
      headers: headersOf(headers.value, body.value, { key: keyOf(executionId, path, item), method }),
      ...(api.body !== undefined && { body: asText(body.value) }),
    },
  }
}

function headersOf(
  given: unknown,
  body: unknown,
  { key, method }: { readonly key: string; readonly method: string },
): Record<string, string> {
  const written = Object.entries(given as Record<string, unknown>).map(
    ([name, value]) => [name, oneLine(asText(value))] as const,
  )
  const names = new Set(written.map(([name]) => name.toLowerCase()))
  return {
    ...(!names.has('accept') && { accept: 'application/json, text/*;q=0.9, */*;q=0.5' }),
    ...(body !== undefined &&
      !names.has('content-type') && {
        'content-type': typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json',
      }),
    // The same key for every attempt of this step, also after a crash, so that the API can detect a repetition.
    ...(method !== 'GET' && method !== 'HEAD' && !names.has('idempotency-key') && { 'idempotency-key': key }),
    ...Object.fromEntries(written),
  }
}

/** Each item of a batch, and each scope of a container, has its own key. */
function keyOf(executionId: string, path: string, item: number): string {
  return item === 0 ? `${executionId}/${path}` : `${executionId}/${path}/${item}`
}

/** Prevents header injection: a value must not start another header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\0]+/g, ' ')
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

function explain(failure: Failure, usage: StepUsage): StepFailure {
  const code = failure.code as OutboundFailureCode
  const refused = code === 'outbound_refused' || code === 'outbound_invalid_request'
  return new StepFailure({
    code: refused ? 'EXTERNAL_API_REFUSED' : 'EXTERNAL_API_FAILED',
    message: failure.message,
    details: { reason: code },
    usage,
    cause: failure,
  })
}

function checkStatus({ status, body, headers }: OutboundResponse, usage: StepUsage): StepFailure | undefined {
  if (status >= 200 && status < 300) return undefined
  const seconds = Number([headers['retry-after']].flat()[0])
  return new StepFailure({
    code: 'EXTERNAL_API_FAILED',
    message:
      status < 400
        ? `The API redirects (status ${status}); use the URL it redirects to.`
        : `The API responded with status ${status}.`,
    details: { status, body: body.subarray(0, 2000).toString() },
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
    usage,
  })
}

/** Whether a retry may succeed. */
function isTransient(response: OutboundResponse | Failure): boolean {
  return response instanceof Failure ? response.retryable : response.status === 429 || response.status >= 500
}

function resultOf(
  { status, headers, body }: OutboundResponse,
  { url }: Prepared,
  usage: StepUsage,
  apiMs: number,
) {
  const { origin, pathname } = new URL(url)
  return {
    output: readBody(body, [headers['content-type']].flat()[0] ?? ''),
    confidence: null,
    quality: null,
    usage,
    // The query may hold secrets.
    details: { api_response_time: Math.round(apiMs) / 1000, api_endpoint: `${origin}${pathname}`, status },
  }
}

function readBody(body: Buffer, contentType: string): unknown {
  const text = body.toString('utf8')
  if (text === '') return null
  if (!/json/i.test(contentType) && !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function addCall(usage: StepUsage, apiMs: number): StepUsage {
  return { ...usage, networkRequests: usage.networkRequests + 1, apiMs: usage.apiMs + apiMs }
}
