import type { FastifyReply, FastifyRequest } from 'fastify'

const cookieName = 'SESS'

/** 32 random bytes as base64url; any other value is rejected without a database query. */
const cookiePattern = /^[\w-]{43}$/

export function readSessionCookie(request: Pick<FastifyRequest, 'cookies'>): string | undefined {
  const value = request.cookies[cookieName]
  return value !== undefined && cookiePattern.test(value) ? value : undefined
}

/** Sets the session cookie: HttpOnly, SameSite=Lax, and Secure when the platform is reached by https. */
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
