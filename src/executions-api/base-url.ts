import type { FastifyRequest } from 'fastify'

/** The URL of an API: the configured public URL, else the URL of the request. */
export function baseUrlOf(
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | undefined,
  prefix: string,
): string {
  const origin = publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}`
  return `${origin}${prefix}`
}
