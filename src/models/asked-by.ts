import type { FastifyRequest } from 'fastify'

/** Who asks for a change and from where, as the event about it keeps it. */
export interface AskedBy {
  readonly by: string | null
  readonly ip: string
  readonly user_agent: string | null
}

export function askedBy({ principal, ip, headers }: FastifyRequest): AskedBy {
  return { by: principal.id, ip, user_agent: headers['user-agent']?.slice(0, 512) ?? null }
}
