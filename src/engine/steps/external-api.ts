import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '#kernel/errors'
import type { Outbound, OutboundAnswer, OutboundFailureCode } from '#kernel/outbound'
import type { ExternalApiStep } from '../definition/step-types.ts'
import { durationMs } from '../definition/values.ts'
import { asText, fillText, fillValue } from '../expressions/template.ts'
import { takeNoteOfMissing } from './needs.ts'
import { StepFailure } from './step-failure.ts'
import { noUsage, type StepExecutor, type StepRun, type StepUsage } from './step-run.ts'

const defaultTimeoutMs = 30_000
const firstPauseMs = 500
const longestPauseMs = 30_000

/** Calls somebody else's API. What it does there may happen more than once, so the call says which one it is. */
export function createExternalApiExecutor(
  outbound: Pick<Outbound, 'request'>,
): StepExecutor<ExternalApiStep> {
  return async (run) => {
    const { step, signal, log } = run
    const request = prepare(run)
    const most = 1 + (step.api.retry_attempts ?? 0)
    let usage = noUsage
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = performance.now()
      const answer = await outbound
        .request(request.url, { ...request.options, signal })
        .catch((error: unknown) => {
          signal.throwIfAborted()
          return asFailure(error)
        })
      const apiMs = performance.now() - startedAt
      usage = addCall(usage, apiMs)
      const failure = answer instanceof Failure ? explain(answer, usage) : judge(answer, usage)
      if (failure === undefined) return resultOf(answer as OutboundAnswer, request, usage, apiMs)
      if (attempt >= most || failure.code === 'EXTERNAL_API_REFUSED' || !isPassing(answer)) throw failure
      const pauseMs = Math.min(
        Math.max(firstPauseMs * 2 ** (attempt - 1), failure.retryAfterMs ?? 0),
        longestPauseMs,
      )
      log('info', `The call failed and is made again: ${failure.message}`, { attempt, pause: pauseMs / 1000 })
      await pause(pauseMs, undefined, { signal })
    }
  }
}

interface Prepared {
  readonly url: string
  readonly options: Parameters<Outbound['request']>[1]
}

function prepare(run: StepRun<ExternalApiStep>): Prepared {
  const { step, scope, accountId, executionId, item } = run
  const { api } = step
  // What is filled into an address is only ever a part of it: no slash, question mark or dot-dot can come out of a value.
  const url = fillText(api.url, scope, (value) => encodeURIComponent(asText(value)))
  const headers = fillValue(api.headers ?? {}, scope)
  const body = fillValue(api.body, scope)
  takeNoteOfMissing(run, [...new Set([...url.missing, ...headers.missing, ...body.missing])])
  const method = api.method ?? (api.body === undefined ? 'GET' : 'POST')
  return {
    url: url.value,
    options: {
      account: accountId,
      method,
      timeoutMs: api.timeout === undefined ? defaultTimeoutMs : durationMs(api.timeout),
      headers: headersOf(headers.value, body.value, { key: keyOf(executionId, step.id, item), method }),
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
    // The same for every try of this step, also after a crash, so that the other side can tell a repetition.
    ...(method !== 'GET' && method !== 'HEAD' && !names.has('idempotency-key') && { 'idempotency-key': key }),
    ...Object.fromEntries(written),
  }
}

/** Every item of a batch calls for itself. */
function keyOf(executionId: string, stepId: string, item: number): string {
  return item === 0 ? `${executionId}/${stepId}` : `${executionId}/${stepId}/${item}`
}

/** A value must not begin a header of its own. */
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

function judge({ status, body, headers }: OutboundAnswer, usage: StepUsage): StepFailure | undefined {
  if (status >= 200 && status < 300) return undefined
  const seconds = Number([headers['retry-after']].flat()[0])
  return new StepFailure({
    code: 'EXTERNAL_API_FAILED',
    message:
      status < 400
        ? `It redirects elsewhere (status ${status}); write the address it redirects to.`
        : `It answered with status ${status}.`,
    details: { status, body: body.subarray(0, 2000).toString() },
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
    usage,
  })
}

/** Whether the next try could go better. */
function isPassing(answer: OutboundAnswer | Failure): boolean {
  return answer instanceof Failure ? answer.retryable : answer.status === 429 || answer.status >= 500
}

function resultOf(
  { status, headers, body }: OutboundAnswer,
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
