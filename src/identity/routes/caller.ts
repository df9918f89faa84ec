import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'

interface Caller {
  readonly id: string
  readonly username: string
  /** The session or sign-in for tokens that the request came with; null where it came with a key or a password. */
  readonly current: string | null
}

/** Who uses a route that is for those who are signed in. */
export function callerOf({ principal }: FastifyRequest): Caller {
  const { id, username, method, credential, scopes } = principal
  if (id === null || username === null) throw kernelFailure('authentication_required')
  // A token with scopes belongs to what an application was allowed, which is no sign-in of the account's own.
  const isSignIn = method === 'session' || (method === 'token' && scopes === 'all')
  return { id, username, current: isSignIn ? credential : null }
}
