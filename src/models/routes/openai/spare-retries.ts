import type { FastifyReply } from 'fastify'
import type { Failure } from '#kernel/errors'

/** Clients of OpenAI try again by themselves; where nothing would be better a second later, they are asked not to. */
export function spareRetries(reply: FastifyReply, failure: Failure): Failure {
  const wouldTryAgain = failure.status === 429 || failure.status >= 500
  if (wouldTryAgain && !failure.retryable && !reply.sent) void reply.header('x-should-retry', 'false')
  return failure
}
