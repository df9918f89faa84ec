import { randomUUIDv7 } from 'node:crypto'
import type { EmbedRequest } from './contract.ts'

/** What stays the same for a call, whoever is asked. */
export interface GatewayCall {
  readonly id: string
  readonly accountId: string
  readonly source: string
  readonly requestedModel: string
  readonly startedAt: Date
  /** In whole milliseconds since it began. */
  elapsedMs(): number
}

const maxMs = 2 ** 31 - 1

export function startCall({
  accountId,
  source,
  call,
}: Pick<EmbedRequest, 'accountId' | 'source'> & { readonly call: { readonly model: string } }): GatewayCall {
  const startedAtMs = performance.now()
  return {
    id: randomUUIDv7(),
    accountId,
    source,
    requestedModel: call.model,
    startedAt: new Date(),
    elapsedMs: () => Math.min(maxMs, Math.round(performance.now() - startedAtMs)),
  }
}
