import type { Reservation } from '../budgets/budget.ts'
import { outputBytesOf } from '../providers/content.ts'
import type { ModelPart, TokenUsage } from '../providers/provider.ts'
import type { CallRecord } from '../usage/call-record.ts'
import type { RouteResult } from '../usage/call-route.ts'
import type { Bound } from './bound.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import { type Charge, chargeFor, type Ending } from './charge.ts'
import type { GatewayCall } from './gateway-call.ts'

/** One attempt of a call at one candidate, from its reservation to its charge. */
export interface Attempt {
  readonly call: GatewayCall
  readonly entry: CatalogueEntry
  /** Number of attempts of the call, this one included. */
  readonly number: number
  readonly bound: Bound | undefined
  readonly reservation: Reservation | undefined
  /** Counts the tokens against the limits of the model and its provider; undefined without such a limit. */
  readonly countTokens: ((tokens: number) => void) | undefined
  /** The end of the attempt as a step of the route. */
  resultOf(ending: Ending): RouteResult
  /** Notes that a part of the response arrived: from now on there is no fallback. */
  onPart(part: ModelPart): void
  /** The record and the charge of the attempt, if it ended now with this outcome. */
  describe(ending: Ending): Promise<{ readonly record: CallRecord; readonly charge: Charge }>
}

interface AttemptOptions extends Pick<Attempt, 'entry' | 'number' | 'bound' | 'reservation'> {
  readonly countTokens?: Attempt['countTokens']
  /** Estimates the input tokens of the call, for a provider that does not report them. */
  readonly estimateInput: () => Promise<number>
}

export function createAttempt(
  call: GatewayCall,
  { entry, number, bound, reservation, countTokens, estimateInput }: AttemptOptions,
): Attempt {
  const { provider, model, price } = entry
  let begun = false
  let seenBytes = 0
  let firstTokenMs: number | null = null
  const startedMs = call.elapsedMs()

  function resultOf(ending: Ending): RouteResult {
    return {
      outcome: ending.outcome,
      code: ending.outcome === 'failed' ? ending.code : null,
      started_ms: startedMs,
      duration_ms: call.elapsedMs() - startedMs,
    }
  }

  let reported: TokenUsage | undefined
  return {
    call,
    entry,
    number,
    bound,
    reservation,
    countTokens,
    resultOf,
    onPart(part) {
      begun = true
      call.observer.onPart(part)
      if (part.type === 'raw' && part.usage !== undefined) reported = part.usage
      const bytes = outputBytesOf(part)
      if (bytes === 0) return
      firstTokenMs ??= call.elapsedMs()
      seenBytes += bytes
    },
    async describe(ending) {
      const latencyMs = call.elapsedMs()
      const progress = { begun, seenBytes, reported, estimateInput }
      const charge = await chargeFor({ price, bound }, ending, progress)
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
        latencyMs,
        firstTokenMs,
        outcome: ending.outcome,
        failureCode: ending.outcome === 'failed' ? ending.code : null,
        cacheHit: false,
        attempts: number,
        keyId: call.origin.keyId ?? null,
        tags: call.origin.tags ?? [],
        executionId: call.origin.executionId ?? null,
        stepId: call.origin.stepId ?? null,
        route: call.route.describe(entry, resultOf(ending)),
        traceId: call.observer.traceId ?? null,
      }
      return { record, charge }
    },
  }
}
