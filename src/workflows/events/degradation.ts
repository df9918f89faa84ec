import type { FlowRecord, Happening } from '#engine'
import { seconds } from '#runs'

/** Fewer executions than this show no habit. */
const fewestRuns = 20
/** So much longer than 95 of 100 before it, an execution is told of. */
const tolerated = 1.5

/**
 * An execution that completed and took half as long again as nearly all of its flow in the last weeks. Batches are left out: they take
 * as long as they have items.
 */
export function describeDegradation(
  {
    executionId,
    flowId,
    flowVersion,
    facts,
  }: Pick<Happening, 'executionId' | 'flowId' | 'flowVersion' | 'facts'>,
  usual: FlowRecord | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (facts === null || facts.status !== 'completed' || facts.items > 0) return undefined
  if (usual === undefined || usual.completed < fewestRuns) return undefined
  const { p95Ms, medianMs, completed } = usual
  const { duration_ms: ms } = facts
  if (ms === null || p95Ms === null || p95Ms <= 0 || ms <= p95Ms * tolerated) return undefined
  return {
    flow_id: flowId,
    flow_version: flowVersion,
    execution_id: executionId,
    metric: 'duration',
    current_value: seconds(ms),
    threshold: seconds(p95Ms * tolerated),
    baseline: {
      p95: seconds(p95Ms),
      median: medianMs === null ? null : seconds(medianMs),
      executions: completed,
    },
    degradation_percentage: Math.round((ms / p95Ms - 1) * 10_000) / 100,
  }
}
