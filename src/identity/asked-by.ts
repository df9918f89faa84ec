import type { FastifyRequest } from 'fastify'
import { type Origin, originOf } from './security-events.ts'

/** Who asks for a change: an account, or null for the terminal, which has no origin either. */
export interface AskedBy {
  readonly by: string | null
  readonly origin?: Origin
}

export function askedBy(request: FastifyRequest): AskedBy {
  return { by: request.principal.id, origin: originOf(request) }
}
