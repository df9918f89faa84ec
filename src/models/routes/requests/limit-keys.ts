import type { FastifyReply } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, type KeyCounts, type KeyRates, setRateHeaders } from '#kernel/http'
import type { Count } from '#kernel/limits'
import { isModelCall } from '../gateway-options.ts'

/** The rate limit headers of an API for one unit. */
export type KeyRateHeaders = (unit: keyof KeyCounts, count: Count) => Record<string, string>

/** The headers of OpenAI; the time until the reset is a duration. */
export const openAiRateHeaders: KeyRateHeaders = (unit, { limit, remaining, secondsLeft }) => ({
  [`x-ratelimit-limit-${unit}`]: String(limit),
  [`x-ratelimit-remaining-${unit}`]: String(remaining),
  [`x-ratelimit-reset-${unit}`]: `${Math.max(0, Math.ceil(secondsLeft))}s`,
})

/** The headers of Anthropic; the reset is a time. */
export const messagesRateHeaders: KeyRateHeaders = (unit, { limit, remaining, resetsAt }) => ({
  [`anthropic-ratelimit-${unit}-limit`]: String(limit),
  [`anthropic-ratelimit-${unit}-remaining`]: String(remaining),
  [`anthropic-ratelimit-${unit}-reset`]: resetsAt.toISOString(),
})

/**
 * Applies the request and token limits of API keys to the calls of an API, with its rate limit headers. Add it after the routes: the
 * replay of a response for an `Idempotency-Key` then comes first and does not count.
 */
export function limitKeys(routes: HttpServer, keyRates: KeyRates, headersOf: KeyRateHeaders): void {
  routes.addHook('preHandler', async (request, reply) => {
    if (request.principal.limits === undefined || !isModelCall(request)) return
    if (request.principal.limits.models !== undefined) refuseOtherModels(request.body)
    const { refusal, ...counts } = await keyRates.admit(request.principal)
    describe(reply, counts, headersOf)
    if (refusal === undefined) return
    const exhausted = counts.requests ?? counts.tokens
    if (exhausted !== undefined) setRateHeaders(reply, exhausted)
    throw refusal
  })
}

/**
 * Throws `invalid_input` for a field that a provider could read as the model instead of the checked one: some servers ignore the case of
 * field names, and some take further models in `models`.
 */
function refuseOtherModels(body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  const path = Object.keys(body).find(
    (field) => field !== 'model' && ['model', 'models'].includes(field.toLowerCase()),
  )
  if (path === undefined) return
  const message = 'is not supported for an API key with allowed models: name the model in model'
  throw kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'unsupported' }],
  })
}

function describe(reply: FastifyReply, { requests, tokens }: KeyCounts, headersOf: KeyRateHeaders): void {
  if (requests !== undefined) reply.headers(headersOf('requests', requests))
  if (tokens !== undefined) reply.headers(headersOf('tokens', tokens))
}
