import type { Engine, ExecutionRecord } from '#engine'
import { estimateFor } from '../reading/estimates.ts'
import { createShortMemory } from './short-memory.ts'
import type { EstimateExecution } from './teller.ts'

/** What executions of a flow take changes slowly. */
const keepMs = 30_000

export function createEstimates({ history }: Pick<Engine, 'history'>): EstimateExecution {
  return createShortMemory({
    keepMs,
    nameOf: ({ flowId, flowVersion, input: { batch } }: ExecutionRecord) =>
      JSON.stringify([flowId, flowVersion, batch?.items.length, batch?.size, batch?.parallel]),
    ask: (record) => estimateFor({ history }, record),
  })
}
