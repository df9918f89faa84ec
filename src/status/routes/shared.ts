import type { FastifyReply } from 'fastify'
import type { HttpServer } from '#kernel/http'

export const administratorAccess = { permission: 'administer llm' } as const

/** Makes the response cacheable. Shared caches must keep the responses of different callers apart. */
export function cacheFor(reply: FastifyReply, seconds: number): FastifyReply {
  return reply.headers({
    'cache-control': `public, max-age=${seconds}`,
    vary: 'Authorization, Cookie, X-API-Key',
  })
}

/** An error may be gone on the next request, so caches must not store it. */
export function preventErrorCaching(routes: HttpServer): void {
  routes.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode >= 400) reply.header('cache-control', 'no-store')
  })
}
