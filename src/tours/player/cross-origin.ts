import type { FastifyReply, FastifyRequest } from 'fastify'

/** CORS headers for pages of any site, without credentials. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, X-Request-Id',
} as const

/** An `onSend` hook, so that error responses have the headers as well and the page can read the reason. */
export async function addCorsHeaders(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(corsHeaders)
}

/** Answers the preflight of a browser. */
export function sendPreflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      ...corsHeaders,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type, X-Requested-With',
      'access-control-max-age': '86400',
    })
    .send()
}
