import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '#kernel/http'

/** The names in `Access-Control-Request-Headers`. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/
const maxHeaderNames = 4096
const preflightSeconds = '86400'

/**
 * Lets pages of these origins call the routes of an API, which must be added later. They send an API key: cookies are never allowed, so a
 * page cannot use the session of its visitor. Without origins, browsers refuse the calls of other sites.
 */
export function allowOrigins(routes: HttpServer, origins: readonly string[]): void {
  if (origins.length === 0) return
  const urls = new Set<string>()

  function isAllowed(origin: string | undefined): origin is string {
    return origin !== undefined && (origins.includes('*') || origins.includes(origin.toLowerCase()))
  }

  async function addHeaders({ headers: { origin } }: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('vary', 'Origin')
    if (!isAllowed(origin)) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
  }

  async function sendPreflight(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { origin, 'access-control-request-headers': asked = '' } = request.headers
    if (isAllowed(origin)) {
      reply.headers({
        'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
        'access-control-max-age': preflightSeconds,
        // The clients of OpenAI, Anthropic and others send headers of their own, whose names change.
        ...(asked.length <= maxHeaderNames &&
          headerNames.test(asked) && { 'access-control-allow-headers': asked }),
      })
    }
    await reply.code(204).send()
  }

  // A streamed response skips `onSend`, and a refused request does not reach `preHandler`.
  routes.addHook('preHandler', addHeaders)
  routes.addHook('onSend', addHeaders)
  routes.addHook('onRoute', ({ url, method }) => {
    if (method === 'OPTIONS' || urls.has(url)) return
    urls.add(url)
    routes.options(
      url,
      { config: { access: { open: 'CORS preflight of browsers' }, undocumented: true, ratePolicy: false } },
      sendPreflight,
    )
  })
}
