import type { FastifyReply } from 'fastify'
import type { HttpServer } from '#kernel/http'

/** For whoever watches over this installation. */
export const watcherAccess = { permission: 'administer llm' } as const

/**
 * Lets the answer be kept for a while. Whoever keeps answers for several callers must tell them apart by what they show.
 */
export function cacheFor(reply: FastifyReply, seconds: number): FastifyReply {
  return reply.headers({
    'cache-control': `public, max-age=${seconds}`,
    vary: 'Authorization, Cookie, X-API-Key',
  })
}

/** What went wrong once may be right the next time, so nobody keeps it. */
export function keepNoErrors(routes: HttpServer): void {
  routes.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode >= 400) reply.header('cache-control', 'no-store')
  })
}
