import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'

/** Who access tokens are for: this platform, whatever address it is reached by. */
export const audience = 'tutti'

/**
 * The address the platform is known by, as it is compared: the one it was told, else the one the caller used. A Host
 * header can say anything, and this goes into tokens and addresses, so it has to be a host and nothing more.
 */
export function issuerOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl
  const asked = `${request.protocol}://${request.host}`
  if (URL.canParse(asked)) {
    const { origin, username, pathname, search, hash } = new URL(asked)
    if (`${username}${pathname}${search}${hash}` === '/') return origin
  }
  throw kernelFailure('invalid_input', { message: 'The Host header is not the name of a host.' })
}
