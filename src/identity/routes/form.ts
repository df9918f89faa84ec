import type { FastifyRequest } from 'fastify'

/** Whether the body is an HTML form, so that the response must be a page or a redirect. */
export function isForm(request: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')
}
