import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

interface CachedAnswer {
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const maxAgeSeconds = 30

/** Answers with what everybody may keep for a moment, or that it has not changed. The headers are the same either way: browsers take over those of the second. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, headers = {} }: CachedAnswer,
): FastifyReply {
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`
  reply.headers({ ...headers, etag: tag, 'cache-control': `public, max-age=${maxAgeSeconds}` })
  return holds(request.headers['if-none-match'], tag) ? reply.code(304).send() : reply.type(type).send(body)
}

function holds(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false
  const tags = new Set(condition.split(',').map((it) => it.trim().replace(/^W\//, '')))
  return tags.has(tag) || tags.has('*')
}
