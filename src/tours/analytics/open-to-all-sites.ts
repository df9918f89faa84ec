import type { FastifyReply, FastifyRequest } from 'fastify'

/** Headers that let pages of any site read an answer, without sending who their visitor is. */
const readableAnywhere = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, X-Request-Id',
} as const

/** For `onSend`, which errors pass as well: a page that may not read why it was refused could only guess. */
export async function makeReadableAnywhere(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(readableAnywhere)
}

/** Answers the question a browser asks before it sends JSON to another site. */
export function answerPreflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      ...readableAnywhere,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type, X-Requested-With',
      'access-control-max-age': '86400',
    })
    .send()
}
