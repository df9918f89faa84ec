import type { FastifyRequest } from 'fastify'
import { modelsFailure } from '../../errors.ts'
import { gatewayHopHeader, readGatewayHop } from '../../providers/gateway-hop.ts'

/** Whether another gateway passed the request on to us. Throws when that other one is ourselves. */
export function passedOn({ headers }: FastifyRequest, gatewayId: string): { readonly askedByGateway?: true } {
  const asked = readGatewayHop(headers[gatewayHopHeader], gatewayId)
  if (asked === 'ourselves') throw modelsFailure('loop_detected')
  return asked === 'another gateway' ? { askedByGateway: true } : {}
}
