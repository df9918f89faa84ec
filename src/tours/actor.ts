import type { FastifyRequest } from 'fastify'

/** The account that changes a tour, and the origin of its request. */
export interface Actor {
  readonly accountId: string | null
  readonly username: string | null
  readonly ip?: string
  readonly userAgent?: string | null
}

export function actorOf({ principal, ip, headers }: FastifyRequest): Actor {
  return {
    accountId: principal.id,
    username: principal.username,
    ip,
    userAgent: headers['user-agent']?.slice(0, 512) ?? null,
  }
}
