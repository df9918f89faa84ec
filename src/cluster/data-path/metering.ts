import type { IncomingHttpHeaders } from 'node:http'
import { kernelFailure } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import { keyHolderId } from '../callers/callers.ts'
import type { WorkEnd } from '../requests/exchange.ts'

/** A request that a platform may charge. */
export interface MeteredRequest {
  readonly path: string
  /** The canonical name of the model. */
  readonly model: string
  readonly modelAsGiven: string
  readonly body: Readonly<Record<string, unknown>>
  readonly caller: Principal
  readonly headers: IncomingHttpHeaders
  readonly signal: AbortSignal
}

/** A request whose cost is reserved. */
export interface Metered {
  /** The body for the node, with a limit of the output. */
  readonly body: Buffer
  /** Charges the request, once. */
  readonly settle: (end: WorkEnd) => void
}

/**
 * Reserves the cost of a request. Resolves with undefined for a model without a price. Throws a Failure when the request cannot be
 * charged or the budget does not allow it.
 */
export type MeterRequest = (request: MeteredRequest) => Promise<Metered | undefined>

/** Ends a request that was never sent to a node. */
export const neverSent: WorkEnd = {
  outcome: 'cancelled',
  begun: false,
  status: undefined,
  counts: undefined,
  bytes: 0,
  lines: 0,
}

/** The platform's gateway charges its calls itself, and the shared key belongs to the operator. */
export function isCharged(
  caller: Principal,
  { isFromGateway }: { readonly isFromGateway: boolean },
): boolean {
  return !isFromGateway && caller.id !== keyHolderId
}

type Fields = Readonly<Record<string, unknown>>

/** Throws `invalid_input` for a second field that a node may read as the model: it does not distinguish case. */
export function requireOneModel(body: Fields): Fields {
  const other = Object.keys(body).find((field) => field !== 'model' && field.toLowerCase() === 'model')
  if (other === undefined) return body
  throw kernelFailure('invalid_input', {
    message: `the field ${JSON.stringify(other)} must be spelled model`,
  })
}
