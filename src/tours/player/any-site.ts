import type { FastifyReply, FastifyRequest } from 'fastify'

const headers = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** Lets pages of every site read the answer, failures included. No cookie ever comes with such a request. */
export async function openToAnySite(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(headers)
}
