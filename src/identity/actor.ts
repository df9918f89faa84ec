import type { FastifyRequest } from 'fastify'
import { type Origin, originOf } from './security-events.ts'

/** The account that makes a change; `by` is null for the terminal, which has no origin either. */
export interface Actor {
  readonly by: string | null
  readonly origin?: Origin
}

export function actorOf(request: FastifyRequest): Actor {
  return { by: request.principal.id, origin: originOf(request) }
}
