import type { WorkerDirectory } from '#kernel/work'
import type { FlowDefinition } from '../definition/flow.ts'
import { allSteps } from '../definition/nested-steps.ts'
import { stepTypes } from '../definition/step-types.ts'
import { engineFailure } from '../errors.ts'
import { executionQueue } from '../store/queue.ts'

const featureOf = (type: string) => `step:${type}`
const flowControlFeature = 'flow_control'

/** What workers of this release can do. */
export const engineFeatures: readonly string[] = [...stepTypes.map(featureOf), flowControlFeature]

/** The step kinds of the first release, which every worker knows. */
const firstFeatures = ['agent', 'ai_prompt', 'conditional', 'data_transform', 'external_api'].map(featureOf)

/** The features that an execution of the flow needs. */
function featuresOf({ steps, global_configuration: global }: FlowDefinition): ReadonlySet<string> {
  const used = new Set(allSteps(steps).map(({ type }) => featureOf(type)))
  if (global?.flow_control !== undefined) used.add(flowControlFeature)
  return used
}

const retryAfterSeconds = 15

/**
 * Refuses a flow that a worker of an older release would fail: during an update, any of them may claim its executions. Throws
 * `platform_updating`.
 */
export async function requireSupported(workers: WorkerDirectory, definition: FlowDefinition): Promise<void> {
  const later = featuresOf(definition).difference(new Set(firstFeatures))
  if (later.size === 0) return
  const serving = (await workers.list()).filter(
    ({ alive, queues }) => alive && queues.includes(executionQueue.name),
  )
  const missing = new Set(
    serving.flatMap(({ features }) => [...later.difference(new Set(features ?? firstFeatures))]),
  )
  if (missing.size === 0) return
  throw engineFailure('platform_updating', {
    details: { features: [...missing].toSorted(), workers: serving.length },
    retryAfterSeconds,
  })
}
