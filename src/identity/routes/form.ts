import type { FastifyRequest } from 'fastify'

/** Whether the body was sent by a form of a page, whose answer a person will look at. */
export function isForm(request: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')
}
