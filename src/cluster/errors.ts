import { defineFailures } from '#kernel/errors'

/** The errors between a caller and the nodes. */
export const clusterFailure = defineFailures({
  model_not_found: { status: 404, message: 'No node has this model.' },
  model_not_allowed: { status: 403, message: 'The API key does not allow this model.' },
  node_not_found: { status: 404, message: 'There is no node with this id.' },
  loop_detected: {
    status: 508,
    message: 'This request has been here before: the cluster is a node of itself.',
  },
  change_not_stored: { status: 503, message: 'The change could not be stored.', retryable: true },
  cluster_unusable: { status: 502, message: 'The cluster service cannot be used.' },
  cluster_unreachable: { status: 503, message: 'The cluster service cannot be reached.', retryable: true },
  attempts_failed: { status: 502, message: 'No node could answer.', retryable: true },
  no_healthy_node: { status: 503, message: 'There is no healthy node.', retryable: true },
  queue_full: { status: 503, message: 'Too many requests wait for this model.', retryable: true },
  waited_too_long: { status: 503, message: 'No node became free in time.', retryable: true },
  platform_unavailable: {
    status: 503,
    message: 'The platform cannot be asked whose credential this is.',
    retryable: true,
  },
  node_timeout: { status: 504, message: 'No node answered in time.', retryable: true },
})
