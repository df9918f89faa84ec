import { randomUUIDv7 } from 'node:crypto'
import type { EmbedRequest } from './contract.ts'

/** What stays the same for a call, whoever is asked. */
export interface AskedCall {
  readonly id: string
  readonly accountId: string
  readonly source: string
  readonly requestedModel: string
  readonly startedAt: Date
  /** In whole milliseconds since it began. */
  elapsedMs(): number
}

const longestMs = 2 ** 31 - 1

export function beginCall({
  accountId,
  source,
  call,
}: Pick<EmbedRequest, 'accountId' | 'source'> & { readonly call: { readonly model: string } }): AskedCall {
  const startedAtMs = performance.now()
  return {
    id: randomUUIDv7(),
    accountId,
    source,
    requestedModel: call.model,
    startedAt: new Date(),
    elapsedMs: () => Math.min(longestMs, Math.round(performance.now() - startedAtMs)),
  }
}
