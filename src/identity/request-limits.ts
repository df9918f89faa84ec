import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import { type Limiter, limitedAddress } from '#kernel/limits'

/** How often refresh tokens and client secrets may be tried. */
export interface RequestLimits {
  /** Counts one request of this address; throws `too_many_requests`. */
  takeForAddress(request: FastifyRequest): Promise<void>
  /** Counts one request of a client that has proved who it is. */
  takeForClient(clientId: string): Promise<void>
}

const rule = { limit: 60, windowSeconds: 60 }

/**
 * A client is counted by its name only after it proved itself, so that nobody can use up another's share; everyone
 * else is counted by address.
 */
export function createRequestLimits(limiter: Limiter): RequestLimits {
  async function take(key: string): Promise<void> {
    const { allowed, secondsLeft } = await limiter.take(key, rule)
    if (allowed) return
    throw kernelFailure('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(secondsLeft)) })
  }

  return {
    takeForAddress: (request) => take(`identity.address ${limitedAddress(request.ip)}`),
    takeForClient: (clientId) => take(`identity.client ${clientId}`),
  }
}
