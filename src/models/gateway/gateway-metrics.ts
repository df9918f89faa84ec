import type { Metrics } from '#kernel/telemetry'
import type { CallRecord } from '../usage/call-record.ts'
import type { ResponseCache } from './response-cache.ts'

const firstTokenBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]

/** The metrics of the gateway. */
export interface GatewayMetrics {
  callEnded(call: CallRecord): void
  attemptFailed(provider: string, kind: string): void
  fellBack(provider: string): void
  /** A route chose a model of this provider as its first candidate. */
  routed(route: string, provider: string): void
  refused(code: string): void
  cacheMissed(): void
  notRecorded(): void
}

export function createGatewayMetrics(metrics: Metrics, cache: ResponseCache): GatewayMetrics {
  const calls = metrics.counter({
    name: 'models_calls_total',
    help: 'Finished model calls, by the provider and model tried last.',
    labels: ['provider', 'model', 'outcome'],
  })
  const tokens = metrics.counter({
    name: 'models_tokens_total',
    help: 'Tokens used; cached input tokens are part of the input tokens.',
    labels: ['provider', 'model', 'kind'],
  })
  const money = metrics.counter({
    name: 'models_micro_dollars_total',
    help: 'Cost of calls to priced models in micro-dollars.',
    labels: ['provider', 'model'],
  })
  const firstToken = metrics.histogram({
    name: 'models_first_token_seconds',
    help: 'Time from the call to the first token.',
    labels: ['provider', 'model'],
    buckets: firstTokenBuckets,
  })
  const cacheLookups = metrics.counter({
    name: 'models_cache_total',
    help: 'Lookups in the response cache.',
    labels: ['result'],
  })
  const failures = metrics.counter({
    name: 'models_attempt_failures_total',
    help: 'Failed attempts, whether or not a fallback succeeded.',
    labels: ['provider', 'kind'],
  })
  const fallbacks = metrics.counter({
    name: 'models_fallbacks_total',
    help: 'Fallback attempts, by the provider that was tried instead.',
    labels: ['provider'],
  })
  const routeChoices = metrics.counter({
    name: 'models_route_choices_total',
    help: 'Calls to routes, by the provider of the model that is tried first.',
    labels: ['route', 'provider'],
  })
  const refusals = metrics.counter({
    name: 'models_refusals_total',
    help: 'Calls or attempts refused before a provider was called.',
    labels: ['reason'],
  })
  const unrecorded = metrics.counter({
    name: 'models_unrecorded_total',
    help: 'Finished calls that could not be recorded because the database was unavailable.',
  })
  metrics.gauge({
    name: 'models_cache_bytes',
    help: 'Size of the response cache in bytes.',
    collect: (gauge) => gauge.set(cache.bytes()),
  })

  return {
    callEnded({ provider, model, outcome, ...call }) {
      calls.inc({ provider, model, outcome })
      if (call.cacheHit) {
        cacheLookups.inc({ result: 'hit' })
        return
      }
      const counts = {
        input: call.inputTokens,
        cached_input: call.cachedInputTokens,
        output: call.outputTokens,
      }
      for (const [kind, count] of Object.entries(counts)) {
        if (count !== null) tokens.inc({ provider, model, kind }, count)
      }
      if (call.microDollars !== null) money.inc({ provider, model }, call.microDollars)
      if (call.firstTokenMs !== null) firstToken.observe({ provider, model }, call.firstTokenMs / 1000)
    },
    attemptFailed: (provider, kind) => failures.inc({ provider, kind }),
    fellBack: (provider) => fallbacks.inc({ provider }),
    routed: (route, provider) => routeChoices.inc({ route, provider }),
    refused: (reason) => refusals.inc({ reason }),
    cacheMissed: () => cacheLookups.inc({ result: 'miss' }),
    notRecorded: () => unrecorded.inc(),
  }
}
