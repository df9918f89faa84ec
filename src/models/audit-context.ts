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
