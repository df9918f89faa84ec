import type { IncomingHttpHeaders } from 'node:http'
import { kernelFailure } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import { keyHolderId } from '../callers/callers.ts'
import type { Work, WorkEnd } from '../requests/work.ts'

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
  /** The body for the node, with a limit of the output; undefined: as the caller sent it. */
  readonly body: Buffer | undefined
  /** Ends the request, once: charges it and counts its tokens. */
  readonly settle: (end: WorkEnd) => void
}

/**
 * Reserves the cost of a request. Resolves with undefined for a model without a price and without limits. Throws a Failure when the
 * request cannot be charged, or a limit of the model or the budget does not allow it.
 */
export type MeterRequest = (request: MeteredRequest) => Promise<Metered | undefined>

/** Calls each of the functions that are given. */
export function endsOf(...ends: readonly Work['onEnd'][]): Work['onEnd'] {
  const given = ends.filter((end) => end !== undefined)
  return given.length < 2 ? given[0] : (end) => given.forEach((onEnd) => onEnd(end))
}

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
