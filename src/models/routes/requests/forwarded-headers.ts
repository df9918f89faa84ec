import type { FastifyRequest } from 'fastify'
import { gatewayHopHeader } from '#cluster'
import { modelsFailure } from '../../errors.ts'
import type { ModelCall } from '../../providers/provider.ts'

interface ForwardedHeadersOptions {
  /** Tells our own requests from those of other gateways. */
  readonly gatewayId: string
  /** The header that keeps the requests of a session on one node, in lower case. */
  readonly sessionHeader: string
}

/** As much of it as the cluster reads. */
const maxSessionLength = 256

/**
 * What of the headers goes along with the call: the session, and whether another gateway passed the request on to us.
 * Throws when that other one is ourselves.
 */
export function readForwardedHeaders(
  { headers }: FastifyRequest,
  { gatewayId, sessionHeader }: ForwardedHeadersOptions,
): Pick<ModelCall, 'askedByGateway' | 'session'> {
  const asked = readGatewayHop(headers[gatewayHopHeader], gatewayId)
  if (asked === 'ourselves') throw modelsFailure('loop_detected')
  const session = [headers[sessionHeader] ?? ''].flat()[0]?.slice(0, maxSessionLength)
  return {
    ...(asked === 'another gateway' && { askedByGateway: true }),
    ...(session !== undefined && session !== '' && { session: { header: sessionHeader, value: session } }),
  }
}

/*
 * A request that one gateway passes on to another carries the id of the one that passes it on, so that it is not sent round
 * in a circle.
 *
 * | the header         | who asks          | and                                                             |
 * |--------------------|-------------------|-----------------------------------------------------------------|
 * | is not there       | a caller          | any route may be taken                                          |
 * | has our own id     | ourselves         | is refused: RUNTIME_GATEWAY_URL leads back here                 |
 * | has another id     | another gateway   | no gateway is asked again (`askedByGateway`)                    |
 */

type RequestOrigin = 'caller' | 'another gateway' | 'ourselves'

/** Who sent a request, by its hop header. */
export function readGatewayHop(header: string | readonly string[] | undefined, ownId: string): RequestOrigin {
  const ids = [header ?? []].flat()
  if (ids.length === 0) return 'caller'
  return ids.includes(ownId) ? 'ourselves' : 'another gateway'
}
