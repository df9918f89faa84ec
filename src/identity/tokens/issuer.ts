import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'

/** The `aud` claim of access tokens: the same for every URL of the platform. */
export const audience = 'tutti'

/**
 * The issuer URL: TUTTI_PUBLIC_URL, or else the URL of the request. The Host header is untrusted and becomes part of
 * tokens and links, so it must be a plain host; throws `invalid_input` otherwise.
 */
export function issuerOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl
  const requested = `${request.protocol}://${request.host}`
  if (URL.canParse(requested)) {
    const { origin, username, pathname, search, hash } = new URL(requested)
    if (`${username}${pathname}${search}${hash}` === '/') return origin
  }
  throw kernelFailure('invalid_input', { message: 'The Host header is not a valid host name.' })
}
