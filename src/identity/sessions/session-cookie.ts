import type { FastifyReply, FastifyRequest } from 'fastify'

const cookieName = 'SESS'

/** 32 random bytes as base64url; anything else is not worth a look into the database. */
const cookiePattern = /^[\w-]{43}$/

export function readSessionCookie(request: FastifyRequest): string | undefined {
  const value = request.cookies[cookieName]
  return value !== undefined && cookiePattern.test(value) ? value : undefined
}

/** Hands the session to the browser: out of reach of scripts, of other sites' posts, and of plain http where it can be. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  session: { readonly cookieValue: string; readonly maxAgeSeconds: number; readonly secure: boolean },
): void {
  const { cookieValue, maxAgeSeconds: maxAge, secure } = session
  const attributes = attributesFor(request)
  reply.setCookie(cookieName, cookieValue, { ...attributes, secure: secure || attributes.secure, maxAge })
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(cookieName, attributesFor(request))
}

function attributesFor(request: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' } as const
}
