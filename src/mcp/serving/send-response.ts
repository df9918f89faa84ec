import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Sends an answer of the web's kind; a stream goes out as it comes, and ends when the client leaves. */
export function sendResponse(reply: FastifyReply, response: Response): FastifyReply {
  reply.code(response.status)
  for (const [name, value] of response.headers) reply.header(name, value)
  reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
  if (response.body === null) return reply.send()
  return reply.send(Readable.fromWeb(response.body))
}
