import type { FastifyReply, FastifyRequest } from 'fastify'
import { defineFailures, Failure, kernelFailure } from '#kernel/errors'

/** The connection of the caller of a request. */
export interface Caller {
  /** Aborts when the caller disconnects, or when the response has to end. */
  readonly signal: AbortSignal
  readonly isDisconnected: () => boolean
  /** Ends the response with this failure. */
  end(failure: Failure): void
  /** The failure to send to the caller for an error. */
  explain(thrown: unknown): Failure
}

const callerFailure = defineFailures({
  // Never sent; in the log it shows that the caller disconnected.
  caller_left: { status: 499, message: 'The caller disconnected before the response was complete.' },
})

/**
 * Watches the connection of a caller. A disconnect cancels the call. When the server shuts down, a response may finish until
 * the shutdown deadline, because it is paid for; after it, the response ends with `shutting_down`.
 */
export function watchCaller({ server }: FastifyRequest, reply: FastifyReply): Caller {
  // One controller instead of `AbortSignal.any`, which costs more than the rest of this function.
  const ended = new AbortController()
  let isDisconnected = false
  let isTerminating = false
  const onTerminating = () => {
    isTerminating = !ended.signal.aborted
    ended.abort(server.terminating.signal.reason)
  }
  if (server.terminating.signal.aborted) onTerminating()
  else server.terminating.signal.addEventListener('abort', onTerminating, { once: true })
  reply.raw.once('close', () => {
    server.terminating.signal.removeEventListener('abort', onTerminating)
    if (reply.raw.writableFinished) return
    isDisconnected = true
    ended.abort(callerFailure('caller_left'))
  })
  return {
    signal: ended.signal,
    isDisconnected: () => isDisconnected,
    end: (failure) => ended.abort(failure),
    explain(thrown) {
      if (isTerminating) return kernelFailure('shutting_down', { retryAfterSeconds: 5 })
      if (ended.signal.aborted) return ended.signal.reason as Failure
      return thrown instanceof Failure ? thrown : kernelFailure('internal', { cause: thrown })
    },
  }
}
