import type { Metrics } from '#kernel/telemetry'
import type { CallRecord } from '../usage/call-record.ts'
import type { Operation } from './call-observer.ts'

/** The metrics of the OpenTelemetry conventions for generative AI, with their names in the Prometheus format and in OTLP. */
export interface OperationMetrics {
  /** A call ended. `stream` is false for a response that the caller gets as a whole. */
  ended(operation: Operation, record: CallRecord, stream: boolean): void
}

/** The buckets that the conventions recommend. */
const secondsBuckets = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
]
const tokenBuckets = Array.from({ length: 14 }, (_, power) => 4 ** power)

const labels = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model'] as const
const attributes = {
  gen_ai_operation_name: 'gen_ai.operation.name',
  gen_ai_provider_name: 'gen_ai.provider.name',
  gen_ai_request_model: 'gen_ai.request.model',
} as const

export function createOperationMetrics(metrics: Metrics): OperationMetrics {
  const duration = metrics.histogram({
    name: 'gen_ai_client_operation_duration_seconds',
    help: 'Duration of model calls.',
    labels: [...labels, 'error_type'],
    buckets: secondsBuckets,
    convention: {
      name: 'gen_ai.client.operation.duration',
      unit: 's',
      attributes: { ...attributes, error_type: 'error.type' },
    },
  })
  const firstChunk = metrics.histogram({
    name: 'gen_ai_client_operation_time_to_first_chunk_seconds',
    help: 'Time to the first output of streamed model calls.',
    labels: [...labels],
    buckets: secondsBuckets,
    convention: { name: 'gen_ai.client.operation.time_to_first_chunk', unit: 's', attributes },
  })
  const tokens = metrics.histogram({
    name: 'gen_ai_client_token_usage',
    help: 'Tokens of model calls, by type.',
    labels: [...labels, 'gen_ai_token_type'],
    buckets: tokenBuckets,
    convention: {
      name: 'gen_ai.client.token.usage',
      unit: '{token}',
      attributes: { ...attributes, gen_ai_token_type: 'gen_ai.token.type' },
    },
  })
  return {
    ended(operation, record, stream) {
      const { provider, model, outcome, latencyMs, firstTokenMs, failureCode } = record
      const common = {
        gen_ai_operation_name: operation,
        gen_ai_provider_name: provider,
        gen_ai_request_model: model,
      }
      const error_type = failureCode ?? (outcome === 'answered' ? '' : outcome)
      if (latencyMs !== null) duration.observe({ ...common, error_type }, latencyMs / 1000)
      // A response from the cache used no tokens and waited for no model.
      if (record.cacheHit) return
      if (stream && firstTokenMs !== null) firstChunk.observe(common, firstTokenMs / 1000)
      const counts = { input: record.inputTokens, output: record.outputTokens }
      for (const [gen_ai_token_type, count] of Object.entries(counts)) {
        if (count !== null && count > 0) tokens.observe({ ...common, gen_ai_token_type }, count)
      }
    },
  }
}
