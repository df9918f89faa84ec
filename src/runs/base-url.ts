import type { FastifyRequest } from 'fastify'

/** Where callers find an interface: as it is configured, else as they called it. */
export function baseUrlOf(
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | undefined,
  prefix: string,
): string {
  const origin = publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}`
  return `${origin}${prefix}`
}
