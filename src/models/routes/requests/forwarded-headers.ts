import type { FastifyRequest } from 'fastify'
import { gatewayHopHeader } from '#cluster'
import { modelsFailure } from '../../errors.ts'
import type { ModelCall } from '../../providers/provider.ts'

interface ForwardedHeadersOptions {
  /** The id of this gateway, by which it recognises its own requests. */
  readonly gatewayId: string
  /** The header that keeps the requests of a session on one node, in lower case. */
  readonly sessionHeader: string
}

/** The cluster reads no more of a session id. */
const maxSessionLength = 256

/**
 * The headers that are forwarded with the call: the session id, and whether another gateway sent the request. Throws
 * `loop_detected` when this gateway sent the request itself.
 */
export function readForwardedHeaders(
  { headers }: FastifyRequest,
  { gatewayId, sessionHeader }: ForwardedHeadersOptions,
): Pick<ModelCall, 'askedByGateway' | 'session'> {
  const sender = readGatewayHop(headers[gatewayHopHeader], gatewayId)
  if (sender === 'ourselves') throw modelsFailure('loop_detected')
  const session = [headers[sessionHeader] ?? ''].flat()[0]?.slice(0, maxSessionLength)
  return {
    ...(sender === 'another gateway' && { askedByGateway: true }),
    ...(session !== undefined && session !== '' && { session: { header: sessionHeader, value: session } }),
  }
}

/*
 * A gateway sends its id with a request to another gateway, so that loops are detected.
 *
 * | header                  | sender            | effect                                                      |
 * |-------------------------|-------------------|-------------------------------------------------------------|
 * | absent                  | a caller          | all routes are allowed                                      |
 * | id of this gateway      | ourselves         | refused: RUNTIME_GATEWAY_URL points back to this gateway    |
 * | another id              | another gateway   | routes to gateways are excluded (`askedByGateway`)          |
 */

type RequestOrigin = 'caller' | 'another gateway' | 'ourselves'

/** The sender of a request, from its hop header. */
export function readGatewayHop(header: string | readonly string[] | undefined, ownId: string): RequestOrigin {
  const ids = [header ?? []].flat()
  if (ids.length === 0) return 'caller'
  return ids.includes(ownId) ? 'ourselves' : 'another gateway'
}
