import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'

interface Caller {
  readonly id: string
  readonly username: string
  /** The session or token family of the request; null for an API key, a password or a client's token. */
  readonly current: string | null
}

/** The account of a request to a route with `signedIn` access; throws `authentication_required` without one. */
export function callerOf({ principal }: FastifyRequest): Caller {
  const { id, username, method, credential, scopes } = principal
  if (id === null || username === null) throw kernelFailure('authentication_required')
  // A token with scopes was issued to an application, so it is not one of the account's own sign-ins.
  const isSignIn = method === 'session' || (method === 'token' && scopes === 'all')
  return { id, username, current: isSignIn ? credential : null }
}

/**
 * Throws `permission_denied` for a request with an API key that has limits: with a new or changed credential it could lift its own limits.
 */
export function refuseLimitedKey({ principal }: FastifyRequest): void {
  if (principal.limits === undefined) return
  throw kernelFailure('permission_denied', {
    message:
      'An API key with limits cannot create or change credentials. Sign in, or use a key without limits.',
  })
}
