import type { FastifyReply, FastifyRequest } from 'fastify'

const headers = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** Allows pages of every site to read the response, errors included. Browsers send such requests without cookies. */
export async function allowAnyOrigin(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(headers)
}
