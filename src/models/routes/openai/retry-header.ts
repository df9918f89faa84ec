import type { FastifyReply } from 'fastify'
import type { Failure } from '#kernel/errors'

/** OpenAI clients retry by themselves; for a permanent failure, `x-should-retry` tells them not to. */
export function discourageRetries(reply: FastifyReply, failure: Failure): Failure {
  const wouldRetry = failure.status === 429 || failure.status >= 500
  if (wouldRetry && !failure.retryable && !reply.sent) void reply.header('x-should-retry', 'false')
  return failure
}
