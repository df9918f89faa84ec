import { randomUUIDv7 } from 'node:crypto'
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
  /** Whole milliseconds since the call started. */
  elapsedMs(): number
}

/** The column `latency_ms` is a 32-bit integer. */
const maxMs = 2 ** 31 - 1

export function startCall({
  accountId,
  source,
  origin = {},
  limits,
  call,
}: Pick<EmbedRequest, 'accountId' | 'source' | 'origin' | 'limits'> & {
  readonly call: { readonly model: string }
}): GatewayCall {
  const startedAtMs = performance.now()
  return {
    id: randomUUIDv7(),
    accountId,
    source,
    requestedModel: call.model,
    origin,
    tokenKeyId: limits?.tokensPerMinute === undefined ? undefined : origin.keyId,
    startedAt: new Date(),
    elapsedMs: () => Math.min(maxMs, Math.round(performance.now() - startedAtMs)),
  }
}
