import type { FastifyRequest } from 'fastify'
import type { EventData, Events } from '#kernel/events'

/** Where a request came from, as sessions and security events keep it. */
export interface Origin {
  readonly ip: string
  readonly userAgent: string | undefined
}

export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, 512) }
}

/** What happened to somebody's credentials. The account it happened to may read it; nothing in it is a secret. */
export interface SecurityEvents {
  signedIn(userId: string, origin: Origin): Promise<void>
  signedOut(userId: string, origin: Origin): Promise<void>
  /** A name that no account has is not kept: people type passwords into the field for the name. */
  signInFailed(failed: FailedSignIn, origin: Origin): Promise<void>
}

export interface FailedSignIn {
  readonly userId: string | null
  readonly method: 'session' | 'basic'
  readonly reason: 'wrong_password' | 'unknown_user' | 'account_disabled'
}

export function createSecurityEvents(events: Pick<Events, 'append'>): SecurityEvents {
  async function append(type: string, userId: string | null, { ip, userAgent }: Origin, data: EventData) {
    await events.append({
      type,
      subject: userId,
      account: userId,
      data: { ...data, ip, user_agent: userAgent ?? null },
    })
  }

  return {
    signedIn: (userId, origin) => append('identity.signed_in', userId, origin, {}),
    signedOut: (userId, origin) => append('identity.signed_out', userId, origin, {}),
    signInFailed: ({ userId, method, reason }, origin) =>
      append('identity.sign_in_failed', userId, origin, { method, reason }),
  }
}
