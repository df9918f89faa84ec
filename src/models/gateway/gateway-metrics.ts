import type { Metrics } from '#kernel/telemetry'
import type { CallRecord } from '../usage/call-record.ts'
import type { AnswerCache } from './answer-cache.ts'

const firstTokenBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]

/** What the gateway counts. */
export interface GatewayMetrics {
  callEnded(call: CallRecord): void
  attemptFailed(provider: string, kind: string): void
  fellBack(provider: string): void
  refused(code: string): void
  cacheMissed(): void
  notRecorded(): void
}

export function createGatewayMetrics(metrics: Metrics, cache: AnswerCache): GatewayMetrics {
  const calls = metrics.counter({
    name: 'models_calls_total',
    help: 'Calls that ended, by who was asked last.',
    labels: ['provider', 'model', 'outcome'],
  })
  const tokens = metrics.counter({
    name: 'models_tokens_total',
    help: 'Tokens that were counted; cached ones are part of the input.',
    labels: ['provider', 'model', 'kind'],
  })
  const money = metrics.counter({
    name: 'models_micro_dollars_total',
    help: 'Micro-dollars that calls of priced models cost.',
    labels: ['provider', 'model'],
  })
  const firstToken = metrics.histogram({
    name: 'models_first_token_seconds',
    help: 'From the call to the first word of the provider.',
    labels: ['provider', 'model'],
    buckets: firstTokenBuckets,
  })
  const cacheLooks = metrics.counter({
    name: 'models_cache_total',
    help: 'Deterministic calls that were looked up in memory.',
    labels: ['result'],
  })
  const failures = metrics.counter({
    name: 'models_attempt_failures_total',
    help: 'Providers that were asked and did not answer, whether or not another one then did.',
    labels: ['provider', 'kind'],
  })
  const fallbacks = metrics.counter({
    name: 'models_fallbacks_total',
    help: 'Attempts in place of one that failed, by who was asked instead.',
    labels: ['provider'],
  })
  const refusals = metrics.counter({
    name: 'models_refusals_total',
    help: 'Calls or attempts that nobody was asked for.',
    labels: ['reason'],
  })
  const unrecorded = metrics.counter({
    name: 'models_unrecorded_total',
    help: 'Ended calls that could not be written down because the database stayed away.',
  })
  metrics.gauge({
    name: 'models_cache_bytes',
    help: 'Memory that remembered answers take.',
    collect: (gauge) => gauge.set(cache.bytes()),
  })

  return {
    callEnded({ provider, model, outcome, ...call }) {
      calls.inc({ provider, model, outcome })
      if (call.cacheHit) {
        cacheLooks.inc({ result: 'hit' })
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
    refused: (reason) => refusals.inc({ reason }),
    cacheMissed: () => cacheLooks.inc({ result: 'miss' }),
    notRecorded: () => unrecorded.inc(),
  }
}
