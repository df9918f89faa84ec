import type { FastifyRequest } from 'fastify'
import { workflowsPrefix } from './interface.ts'

/** Where callers find this interface: as it is configured, else as they called it. */
export function baseUrlOf(
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | undefined,
): string {
  const origin = publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}`
  return `${origin}${workflowsPrefix}`
}
