import type { FastifyRequest } from 'fastify'
import type { EventData, Events, EventTransaction } from '#kernel/events'

/** The IP address and user agent of a request, as stored with sessions and security events. */
export interface Origin {
  readonly ip: string
  readonly userAgent: string | undefined
}

export function originOf(request: Pick<FastifyRequest, 'ip' | 'headers'>): Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, 512) }
}

/** The identity events in the audit log. */
export const securityEventTypes = [
  'identity.account_changed',
  'identity.account_created',
  'identity.account_deleted',
  'identity.administrator_created',
  'identity.api_key_changed',
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

/** An audit event about an account, role or credential. The affected account may read it, so it contains no secrets. */
export interface SecurityEvent {
  readonly type: SecurityEventType
  /** The id of the account, key, client or role that changed. */
  readonly subject: string | null
  /** The account that owns the subject. */
  readonly account: string | null
  /** Absent for changes without a request: the terminal and recurring tasks. */
  readonly origin?: Origin
  /** The account that acted, when it is not the affected account itself. */
  readonly by?: string | null
  readonly data?: EventData
}

export interface SecurityEvents {
  append(event: SecurityEvent): Promise<void>
  /** Appends the event in the transaction of the change, as its last step: both are committed or neither is. */
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
