import { randomUUIDv7 } from 'node:crypto'
import type { MeasuredTime } from '../routing/response-times.ts'
import { type CallRoute, createCallRoute } from '../usage/call-route.ts'
import type { CallObserver } from './call-observer.ts'
import type { CallOrigin, EmbedRequest } from './contract.ts'

/** A call to the gateway: the properties that all its attempts share. */
export interface GatewayCall {
  readonly id: string
  readonly accountId: string
  readonly source: string
  readonly requestedModel: string
  readonly origin: CallOrigin
  /** The API key whose token limit the call counts against. */
  readonly tokenKeyId: string | undefined
  readonly startedAt: Date
  /** The candidates and what became of them. */
  readonly route: CallRoute
  readonly observer: CallObserver
  /** The time of its attempts that is compared with that of other models. */
  readonly measured: MeasuredTime
  /** Whole milliseconds since the call started. */
  elapsedMs(): number
}

/** The column `latency_ms` is a 32-bit integer. */
const maxMs = 2 ** 31 - 1

export function startCall(
  {
    accountId,
    source,
    origin = {},
    limits,
    call,
  }: Pick<EmbedRequest, 'accountId' | 'source' | 'origin' | 'limits'> & {
    readonly call: {
      readonly model: string
      readonly original?: { readonly stream: boolean } | undefined
    }
  },
  observe: (callId: string) => CallObserver,
): GatewayCall {
  const startedAtMs = performance.now()
  const id = randomUUIDv7()
  return {
    id,
    accountId,
    source,
    requestedModel: call.model,
    origin,
    tokenKeyId: limits?.tokensPerMinute === undefined ? undefined : origin.keyId,
    route: createCallRoute(call.model),
    observer: observe(id),
    measured: call.original?.stream === false ? 'response' : 'first_token',
    startedAt: new Date(),
    elapsedMs: () => Math.min(maxMs, Math.round(performance.now() - startedAtMs)),
  }
}
