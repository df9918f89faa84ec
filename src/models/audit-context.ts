import type { FastifyRequest } from 'fastify'

/** The account, address and client that made a change, as its audit event stores them. */
export interface AuditContext {
  readonly by: string | null
  readonly ip: string
  readonly user_agent: string | null
}

export function auditContextOf({ principal, ip, headers }: FastifyRequest): AuditContext {
  return { by: principal.id, ip, user_agent: headers['user-agent']?.slice(0, 512) ?? null }
}

/** The types of operator events for the audit log. */
export const modelsOperatorEventTypes = [
  'models.provider_added',
  'models.provider_changed',
  'models.provider_removed',
  'models.provider_key_stored',
  'models.provider_key_removed',
  'models.price_set',
  'models.price_removed',
  'models.route_saved',
  'models.route_activated',
  'models.route_removed',
  'models.limit_set',
  'models.limit_removed',
] as const
