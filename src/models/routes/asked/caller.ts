import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure, failuresOf, kernelFailure } from '#kernel/errors'

/** Whether somebody still waits for an answer. */
export interface Caller {
  /** Aborted when nobody waits any more, or when the answer has to end. */
  readonly signal: AbortSignal
  readonly isGone: () => boolean
  /** Ends the answer for a reason of ours. */
  end(failure: Failure): void
  /** What the caller is to read when this was thrown while they waited. */
  explain(thrown: unknown): Failure
}

const callerFailure = failuresOf({
  // Nobody reads it; it only keeps the log from calling this a failure of ours.
  caller_left: { status: 499, message: 'The caller left before the answer was complete.' },
})

/**
 * Watches the caller of one request. Work is done for as long as they wait: who hangs up ends the provider's work. When the
 * server closes, an answer has the time that closing leaves, because it was paid for; what takes longer ends with a word why.
 */
export function watchCaller({ server }: FastifyRequest, reply: FastifyReply): Caller {
  const over = new AbortController()
  let isGone = false
  reply.raw.once('close', () => {
    if (reply.raw.writableFinished) return
    isGone = true
    over.abort(callerFailure('caller_left'))
  })
  const signal = AbortSignal.any([over.signal, server.cuttingOff.signal])
  return {
    signal,
    isGone: () => isGone,
    end: (failure) => over.abort(failure),
    explain(thrown) {
      if (over.signal.aborted) return over.signal.reason as Failure
      if (signal.aborted) return kernelFailure('shutting_down', { retryAfterSeconds: 5 })
      return thrown instanceof Failure ? thrown : kernelFailure('internal', { cause: thrown })
    },
  }
}
