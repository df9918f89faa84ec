import { randomUUIDv7 } from 'node:crypto'
import type { Logger } from '#kernel/telemetry'
import type { Reservation } from '../budgets/budget.ts'
import { leftInBudget } from '../budgets/scopes.ts'
import { mayFallBack } from '../providers/provider-failure.ts'
import type { ResponseTimes } from '../routing/response-times.ts'
import type { CallRecord } from '../usage/call-record.ts'
import type { UsageRecorder } from '../usage/usage-recorder.ts'
import type { Attempt } from './attempt.ts'
import type { Bound } from './bound.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { Ending } from './charge.ts'
import type { CallCost, EmbedRequest } from './contract.ts'
import type { GatewayCall } from './gateway-call.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'

/** The reservation with its bound, both undefined for a free attempt, or the reason why the attempt is not made. */
type Reserved =
  | { readonly reservation: Reservation | undefined; readonly bound: Bound | undefined }
  | { readonly skipped: unknown }

interface ReservedAttempt extends Pick<Attempt, 'entry' | 'number'> {
  /** The possible bounds of its cost, the largest first; none for a free attempt. */
  readonly bounds: readonly Bound[]
}

/** Reserves and settles the cost of attempts and records calls. None of its methods throws. */
export interface CallAccounting {
  /**
   * Reserves the most an attempt can cost: the largest bound that the budget allows. A free attempt needs no reservation and no database
   * statement.
   */
  reserve(
    request: Pick<EmbedRequest, 'budget' | 'signal'>,
    call: GatewayCall,
    attempt: ReservedAttempt,
  ): Promise<Reserved>
  /** Ends the call with this attempt, whose row is the row of the call. */
  close(attempt: Attempt, ending: Ending): Promise<CallCost>
  /**
   * Ends an attempt after which another candidate is tried. Resolves when its reservation is released, with the row of the
   * attempt, or with undefined when that row is already written.
   */
  endFailedAttempt(attempt: Attempt, ending: Ending): Promise<CallRecord | undefined>
  /** Ends a call without a reservation with this row. */
  record(call: GatewayCall, record: CallRecord): Promise<CallCost>
}

export interface CallAccountingOptions {
  readonly usage: UsageRecorder
  readonly metrics: GatewayMetrics
  readonly log: Logger
  readonly countTokens?: CountTokens | undefined
  readonly responseTimes?: Pick<ResponseTimes, 'answered' | 'failed'> | undefined
}

/** Counts the tokens of an API key. */
export type CountTokens = (keyId: string, tokens: number) => void

export function createCallAccounting(options: CallAccountingOptions): CallAccounting {
  const { usage, metrics, log, countTokens, responseTimes } = options
  async function settle(reservation: Reservation, microDollars: number) {
    try {
      return await reservation.settle(microDollars)
    } catch (error) {
      log.error({ err: error }, 'a reservation could not be settled')
      return undefined
    }
  }

  async function write(
    call: CallRecord | undefined,
    paid?: { readonly reservation: Reservation | undefined; readonly microDollars: number | null },
  ): Promise<void> {
    if (call !== undefined) metrics.callEnded(call)
    const settlement = paid?.reservation && (await settle(paid.reservation, paid.microDollars ?? 0))
    if (call === undefined && settlement === undefined) return
    try {
      await usage.record({ call, settlement })
    } catch (error) {
      metrics.notRecorded()
      log.error({ err: error, call: call?.id }, 'a model call could not be recorded')
    }
  }

  async function describe(attempt: Attempt, ending: Ending) {
    const { record, charge } = await attempt.describe(ending)
    if (charge.beyond !== undefined) {
      const { provider, model } = record
      log.warn(
        { provider, model, microDollars: charge.beyond, reserved: charge.microDollars },
        'the usage reported by the provider costs more than was reserved; the reserved amount is charged',
      )
    }
    countUsage(attempt, record)
    measureTime(attempt, ending, record)
    return { record, charge }
  }

  function measureTime(attempt: Attempt, ending: Ending, { firstTokenMs }: CallRecord): void {
    const { entry, call } = attempt
    if (ending.outcome === 'failed' && mayFallBack(ending)) responseTimes?.failed(entry)
    if (ending.outcome !== 'answered') return
    const { started_ms: startedMs, duration_ms: durationMs } = attempt.resultOf(ending)
    const firstMs = firstTokenMs === null ? durationMs : firstTokenMs - (startedMs ?? 0)
    const ms = call.measured === 'first_token' ? firstMs : durationMs
    responseTimes?.answered(entry, call.measured, ms ?? 0)
  }

  /** Counted before the last part reaches the caller, so that the next call of the key or model sees it. */
  function countUsage(attempt: Attempt, { inputTokens, outputTokens }: CallRecord): void {
    const { tokenKeyId } = attempt.call
    const tokens = (inputTokens ?? 0) + (outputTokens ?? 0)
    if (tokens === 0) return
    attempt.countTokens?.(tokens)
    if (tokenKeyId !== undefined) countTokens?.(tokenKeyId, tokens)
  }

  return {
    async reserve({ budget, signal }, call, { entry, number, bounds }) {
      if (signal.aborted) return { skipped: signal.reason }
      const reservedFor = describeReserved(call, entry, number)
      let bound: Bound | undefined = chooseWithin(bounds, budget.left?.() ?? Number.POSITIVE_INFINITY)
      if (bound === undefined) return { reservation: undefined, bound }
      let refusal: unknown
      while (bound !== undefined) {
        const tried: Bound = bound
        try {
          const reservation = await budget.reserve(tried.microDollars, reservedFor, signal)
          if (!signal.aborted) return { reservation, bound: tried }
          await write(undefined, { reservation, microDollars: 0 })
          return { skipped: signal.reason }
        } catch (error) {
          refusal = error
          bound = signal.aborted ? undefined : findLower(bounds, tried, error)
        }
      }
      return { skipped: refusal }
    },

    async close(attempt, ending) {
      const { record, charge } = await describe(attempt, ending)
      attempt.call.observer.onEnd(record)
      await write(record, { reservation: attempt.reservation, microDollars: charge.microDollars })
      return costOfCall(record)
    },

    async endFailedAttempt(attempt, ending) {
      const { record, charge } = await describe(attempt, ending)
      // An attempt that may have cost money has a row of its own; the id of the call stays free for the next attempt.
      const paid = charge.microDollars !== null && charge.microDollars > 0
      await write(paid ? { ...record, id: randomUUIDv7() } : undefined, {
        reservation: attempt.reservation,
        microDollars: charge.microDollars,
      })
      return paid ? undefined : record
    },

    async record(call, record) {
      call.observer.onEnd(record)
      await write(record)
      return costOfCall(record)
    },
  }
}

/** The largest bound within an amount, else the smallest. */
function chooseWithin(bounds: readonly Bound[], microDollars: number): Bound | undefined {
  return bounds.find((bound) => bound.microDollars <= microDollars) ?? bounds.at(-1)
}

/** A smaller bound that the budget may allow after it refused one; undefined when there is none. */
function findLower(bounds: readonly Bound[], refused: Bound, error: unknown): Bound | undefined {
  const left = leftInBudget(error)
  if (left === undefined) return undefined
  return chooseWithin(
    bounds.filter(({ microDollars }) => microDollars < refused.microDollars),
    left,
  )
}

function describeReserved(call: GatewayCall, { provider, model, price }: CatalogueEntry, attempts: number) {
  return {
    callId: call.id,
    source: call.source,
    provider,
    model: model.id,
    requestedModel: call.requestedModel,
    priceSource: price.source,
    priceVersion: 'version' in price ? price.version : null,
    attempts,
    tags: call.origin.tags,
  }
}

function costOfCall(record: CallRecord): CallCost {
  const { inputTokens, cachedInputTokens, outputTokens, microDollars, firstTokenMs } = record
  return {
    inputTokens,
    cachedInputTokens,
    outputTokens,
    microDollars,
    latencyMs: record.latencyMs ?? 0,
    firstTokenMs,
  }
}
