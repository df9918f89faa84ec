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
 * The headers that are forwarded with the call: session id, trace, and whether another gateway sent the request. Throws
 * `loop_detected` when this gateway sent the request itself.
 */
export function readForwardedHeaders(
  { headers }: FastifyRequest,
  { gatewayId, sessionHeader }: ForwardedHeadersOptions,
): Pick<ModelCall, 'askedByGateway' | 'session' | 'trace'> {
  const sender = readGatewayHop(headers[gatewayHopHeader], gatewayId)
  if (sender === 'ourselves') throw modelsFailure('loop_detected')
  const trace = readTrace(headers)
  const session = [headers[sessionHeader] ?? ''].flat()[0]?.slice(0, maxSessionLength)
  return {
    ...(sender === 'another gateway' && { askedByGateway: true }),
    ...(trace !== undefined && { trace }),
    ...(session !== undefined && session !== '' && { session: { header: sessionHeader, value: session } }),
  }
}

const traceParent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
const maxTraceStateLength = 512

/** The trace of the caller, which providers get unless this gateway adds its own spans; undefined without a valid one. */
function readTrace({ traceparent, tracestate }: FastifyRequest['headers']): ModelCall['trace'] {
  if (typeof traceparent !== 'string' || !traceParent.test(traceparent)) return undefined
  const state = [tracestate ?? []].flat().join(',')
  const isPassed = state !== '' && state.length <= maxTraceStateLength
  return { traceparent, ...(isPassed && { tracestate: state }) }
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
