import type { Failure } from '#kernel/errors'
import { clusterFailure } from '../errors.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import { type FailedAttempt, readErrorText } from './failed-attempt.ts'

/** The node's message with the platform's code: not every runtime has a code for a missing model. */
export function explainMissingModel(node: TrackedNode, model: string, body: Buffer): Failure {
  const said = readErrorText(body)
  return clusterFailure('model_not_found', {
    message: said === '' ? `model '${model}' not found on any node` : said,
    details: { model, node: node.id },
  })
}

/** The error of a request whose last attempt failed. */
export function explainFailure(
  { kind, reason }: FailedAttempt,
  node: TrackedNode,
  attempts: number,
): Failure {
  const code = kind === 'late' || kind === 'stalled' ? 'node_timeout' : 'attempts_failed'
  const tries = attempts === 1 ? '' : `after ${attempts} attempts, the last: `
  return clusterFailure(code, {
    message: `${tries}node ${node.id} ${reason}`,
    details: { node: node.id, attempts },
  })
}
