import type { FastifyRequest } from 'fastify'
import type { EventData, Events, EventTransaction } from '#kernel/events'

/** Where a request came from, as sessions and security events keep it. */
export interface Origin {
  readonly ip: string
  readonly userAgent: string | undefined
}

export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, 512) }
}

/** Everything of ours that the audit log tells of. */
export const securityEventTypes = [
  'identity.account_changed',
  'identity.account_created',
  'identity.account_deleted',
  'identity.administrator_created',
  'identity.api_key_created',
  'identity.api_key_revoked',
  'identity.authorization_code_replayed',
  'identity.consent_given',
  'identity.consent_refused',
  'identity.consent_withdrawn',
  'identity.oauth_client_changed',
  'identity.oauth_client_created',
  'identity.oauth_client_deleted',
  'identity.password_changed',
  'identity.refresh_token_reused',
  'identity.role_changed',
  'identity.role_created',
  'identity.role_deleted',
  'identity.session_ended',
  'identity.sign_in_failed',
  'identity.signed_in',
  'identity.signed_out',
  'identity.signing_key_added',
] as const

export type SecurityEventType = (typeof securityEventTypes)[number]

/** What happened to somebody's credentials. The account it happened to may read it; nothing in it is a secret. */
export interface SecurityEvent {
  readonly type: SecurityEventType
  /** What it happened to: an account, a key, a client, a role. */
  readonly subject: string | null
  /** Whose it is. */
  readonly account: string | null
  /** Absent when nobody asked for it over the network: the terminal, the clock. */
  readonly origin?: Origin
  /** Who did it, when that is not the account itself. */
  readonly by?: string | null
  readonly data?: EventData
}

export interface SecurityEvents {
  append(event: SecurityEvent): Promise<void>
  /** In the transaction of the change itself, as its last step: neither is there without the other. */
  appendWithin(transaction: EventTransaction, event: SecurityEvent): Promise<void>
}

export function createSecurityEvents(events: Pick<Events, 'append' | 'appendWithin'>): SecurityEvents {
  return {
    append: async (event) => void (await events.append(toEvent(event))),
    appendWithin: async (transaction, event) => void (await events.appendWithin(transaction, toEvent(event))),
  }
}

function toEvent({ type, subject, account, origin, by, data }: SecurityEvent) {
  return {
    type,
    subject,
    account,
    data: {
      ...data,
      ...(by !== undefined && { by }),
      ...(origin !== undefined && { ip: origin.ip, user_agent: origin.userAgent ?? null }),
    },
  }
}
