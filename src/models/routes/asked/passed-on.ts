import type { FastifyRequest } from 'fastify'
import { gatewayHopHeader } from '#cluster'
import { modelsFailure } from '../../errors.ts'
import { readGatewayHop } from '../../providers/gateway-hop.ts'
import type { ModelCall } from '../../providers/provider.ts'

interface PassedOnOptions {
  /** Tells our own requests from those of other gateways. */
  readonly gatewayId: string
  /** The header that keeps the requests of a session on one node, in lower case. */
  readonly sessionHeader: string
}

/** As much of it as the cluster reads. */
const longestSession = 256

/**
 * What of the headers goes along with the call: the session, and whether another gateway passed the request on to us.
 * Throws when that other one is ourselves.
 */
export function passedOn(
  { headers }: FastifyRequest,
  { gatewayId, sessionHeader }: PassedOnOptions,
): Pick<ModelCall, 'askedByGateway' | 'session'> {
  const asked = readGatewayHop(headers[gatewayHopHeader], gatewayId)
  if (asked === 'ourselves') throw modelsFailure('loop_detected')
  const session = [headers[sessionHeader] ?? ''].flat()[0]?.slice(0, longestSession)
  return {
    ...(asked === 'another gateway' && { askedByGateway: true }),
    ...(session !== undefined && session !== '' && { session: { header: sessionHeader, value: session } }),
  }
}
