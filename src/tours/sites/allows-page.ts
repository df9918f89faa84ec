import type { FastifyRequest } from 'fastify'
import { consoleSite, type Environment } from './site.ts'

/**
 * Whether tours of a site may play on the page that sends the request.
 *
 * | site                  | pages                                                                        |
 * |-----------------------|------------------------------------------------------------------------------|
 * | the console           | of the platform's own origin                                                 |
 * | without environments  | of every origin                                                              |
 * | with environments     | of their origins                                                             |
 *
 * Browsers send `Origin` with cross-origin requests and omit it for the page's own origin. Requests without it, of other
 * programs too, are allowed: published tours are public, and the origins only decide where they play.
 */
export function allowsPage(
  site: string,
  environments: readonly Environment[],
  request: FastifyRequest,
  publicUrl: string | undefined,
): boolean {
  const { origin } = request.headers
  if (origin === undefined) return true
  if (site === consoleSite) return isOwnOrigin(origin, request, publicUrl)
  return environments.length === 0 || environments.some((environment) => environment.origin === origin)
}

function isOwnOrigin(
  origin: string,
  { protocol, host }: FastifyRequest,
  publicUrl: string | undefined,
): boolean {
  if (origin === `${protocol}://${host}`) return true
  return publicUrl !== undefined && URL.canParse(publicUrl) && new URL(publicUrl).origin === origin
}
