import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import { type Limiter, rateLimitAddress } from '#kernel/limits'

/** Rate limits of the endpoints that accept refresh tokens and client secrets. */
export interface RequestLimits {
  /** Counts one request of the IP address; throws `too_many_requests`. */
  takeForAddress(request: FastifyRequest): Promise<void>
  /** Counts one request of an authenticated client; throws `too_many_requests`. */
  takeForClient(clientId: string): Promise<void>
}

const rule = { limit: 60, windowSeconds: 60 }

/**
 * Only an authenticated client is counted by its id, so that a caller cannot use up the limit of a client it does not
 * own; other requests are counted by IP address.
 */
export function createRequestLimits(limiter: Limiter): RequestLimits {
  async function take(key: string): Promise<void> {
    const { allowed, secondsLeft } = await limiter.take(key, rule)
    if (allowed) return
    throw kernelFailure('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(secondsLeft)) })
  }

  return {
    takeForAddress: (request) => take(`identity.address ${rateLimitAddress(request.ip)}`),
    takeForClient: (clientId) => take(`identity.client ${clientId}`),
  }
}
