import type { FastifyRequest } from 'fastify'

/**
 * Whether another site made the browser send this request (login CSRF): without the check, a foreign page could sign a
 * user in to an account of the attacker. Clients other than browsers send neither header.
 */
export function isFromAnotherSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = request.headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== request.host
}
