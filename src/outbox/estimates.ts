import type { Engine, ExecutionRecord } from '#engine'
import { estimates } from '#executions-api'
import type { EstimateExecution } from './event-mapper.ts'
import { createTtlCache } from './ttl-cache.ts'

/** Estimates of a flow change slowly. */
const keepMs = 30_000

export function createEstimates({ history }: Pick<Engine, 'history'>): EstimateExecution {
  return createTtlCache({
    keepMs,
    nameOf: ({ flowId, flowVersion, input: { batch } }: ExecutionRecord) =>
      JSON.stringify([flowId, flowVersion, batch?.items.length, batch?.size, batch?.parallel]),
    load: (record) => estimates.estimateFor({ history }, record),
  })
}
