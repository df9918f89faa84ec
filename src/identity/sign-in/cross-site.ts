import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser says that another site made it send this. Without this check, a foreign page could sign somebody in
 * to an account of its own choosing. Tools that are no browsers send neither header.
 */
export function isFromAnotherSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = request.headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== request.host
}
