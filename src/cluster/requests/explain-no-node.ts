import type { Failure } from '#kernel/errors'
import type { NodeRequirements } from '../balancing/balancer.ts'
import { clusterFailure } from '../errors.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'

/** Explains why no node can serve a request. */
export function explainNoNode(
  tracked: readonly TrackedNode[],
  { model, modelAsGiven, node }: NodeRequirements,
): Failure {
  if (node !== undefined && !tracked.some(({ id, record }) => id === node && record !== undefined)) {
    return clusterFailure('node_not_found', { message: `there is no node '${node}'`, details: { node } })
  }
  const isReady = tracked.some((candidate) => candidate.isReady)
  if (!isReady) return clusterFailure('no_healthy_node', { retryAfterSeconds: 2 })
  const isKnown = tracked.some((candidate) => candidate.models.length > 0 && candidate.has(model))
  if (!isKnown) {
    return clusterFailure('model_not_found', {
      message: `model '${modelAsGiven}' not found on any node`,
      details: { model: modelAsGiven },
    })
  }
  return clusterFailure('no_healthy_node', {
    message: `no healthy node has the model '${modelAsGiven}'`,
    retryAfterSeconds: 2,
    details: { model: modelAsGiven },
  })
}
