import type { Reservation } from '../budgets/purse.ts'
import type { ModelPart } from '../providers/provider.ts'
import type { CallRecord } from '../usage/call-record.ts'
import type { AskedCall } from './asked-call.ts'
import type { Bound } from './bound.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import { type Charge, chargeFor, type Ending } from './charge.ts'

/** One model's turn at a call, from the money set aside to what it took. */
export interface Attempt {
  readonly entry: CatalogueEntry
  /** How many were asked, this one included. */
  readonly number: number
  readonly bound: Bound | undefined
  readonly reservation: Reservation | undefined
  /** A piece of the answer came: nobody else can be asked any more. */
  saw(part: ModelPart): void
  /** What it took, if it ended now and so. */
  describe(ending: Ending): { readonly record: CallRecord; readonly charge: Charge }
}

export function createAttempt(
  call: AskedCall,
  { entry, number, bound, reservation }: Pick<Attempt, 'entry' | 'number' | 'bound' | 'reservation'>,
): Attempt {
  const { provider, model, price } = entry
  let begun = false
  let seenBytes = 0
  let firstTokenMs: number | null = null
  return {
    entry,
    number,
    bound,
    reservation,
    saw(part) {
      begun = true
      if (part.type === 'end' || part.text === '') return
      firstTokenMs ??= call.elapsedMs()
      seenBytes += Buffer.byteLength(part.text)
    },
    describe(ending) {
      const charge = chargeFor({ price, bound }, ending, { begun, seenBytes })
      const { inputTokens, cachedInputTokens, outputTokens, microDollars, estimated } = charge
      const record = {
        id: call.id,
        accountId: call.accountId,
        source: call.source,
        provider,
        model: model.id,
        requestedModel: call.requestedModel,
        startedAt: call.startedAt,
        inputTokens,
        cachedInputTokens,
        outputTokens,
        microDollars,
        priceSource: price.source,
        priceVersion: 'version' in price ? price.version : null,
        estimated,
        latencyMs: call.elapsedMs(),
        firstTokenMs,
        outcome: ending.outcome,
        failureCode: ending.outcome === 'failed' ? ending.code : null,
        cacheHit: false,
        attempts: number,
      }
      return { record, charge }
    },
  }
}
