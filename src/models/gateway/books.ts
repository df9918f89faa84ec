import { randomUUIDv7 } from 'node:crypto'
import type { Logger } from '#kernel/telemetry'
import type { Reservation } from '../budgets/purse.ts'
import type { CallRecord } from '../usage/call-record.ts'
import type { UsageRecorder } from '../usage/usage-recorder.ts'
import type { AskedCall } from './asked-call.ts'
import type { Attempt } from './attempt.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { Ending } from './charge.ts'
import type { CallCost, EmbedRequest } from './contract.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'

/** What was set aside, or why the attempt is not made. */
type Reserved = { readonly reservation: Reservation | undefined } | { readonly unasked: unknown }

/** Pays for attempts and writes down what became of calls. Nothing here throws. */
export interface Books {
  /** Sets the most an attempt can cost aside; nothing, and without a statement, when that is nothing. */
  reserve(
    request: Pick<EmbedRequest, 'purse' | 'signal'>,
    call: AskedCall,
    attempt: Pick<Attempt, 'entry' | 'number' | 'bound'>,
  ): Promise<Reserved>
  /** The call is over with this attempt, whose row is the row of the call. */
  close(attempt: Attempt, ending: Ending): Promise<CallCost>
  /** Somebody else is asked. Resolves when the money is free again; answers the row, unless it stands already. */
  passOver(attempt: Attempt, ending: Ending): Promise<CallRecord | undefined>
  /** Writes the row of a call that has no money to settle. */
  record(call: CallRecord): Promise<CallCost>
}

export interface BooksOptions {
  readonly usage: UsageRecorder
  readonly metrics: GatewayMetrics
  readonly log: Logger
}

export function createBooks({ usage, metrics, log }: BooksOptions): Books {
  async function settle(reservation: Reservation, microDollars: number) {
    try {
      return await reservation.settle(microDollars)
    } catch (error) {
      log.error({ err: error }, 'a purse did not take back what was left of a call')
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
      log.error({ err: error, call: call?.id }, 'a call could not be recorded')
    }
  }

  function describe(attempt: Attempt, ending: Ending) {
    const { record, charge } = attempt.describe(ending)
    if (charge.beyond !== undefined) {
      const { provider, model } = record
      log.warn(
        { provider, model, microDollars: charge.beyond, reserved: charge.microDollars },
        'a provider counted more than a call could cost at most; what was set aside for it is paid',
      )
    }
    return { record, charge }
  }

  return {
    async reserve({ purse, signal }, call, { entry, number, bound }) {
      if (signal.aborted) return { unasked: signal.reason }
      if (bound === undefined) return { reservation: undefined }
      try {
        const reservation = await purse.reserve(bound.microDollars, describeReserved(call, entry, number))
        if (!signal.aborted) return { reservation }
        await write(undefined, { reservation, microDollars: 0 })
        return { unasked: signal.reason }
      } catch (error) {
        return { unasked: error }
      }
    },

    async close(attempt, ending) {
      const { record, charge } = describe(attempt, ending)
      await write(record, { reservation: attempt.reservation, microDollars: charge.microDollars })
      return costOfCall(record)
    },

    async passOver(attempt, ending) {
      const { record, charge } = describe(attempt, ending)
      // What may have cost money has a row of its own, and the call goes on under its id.
      const paid = charge.microDollars !== null && charge.microDollars > 0
      await write(paid ? { ...record, id: randomUUIDv7() } : undefined, {
        reservation: attempt.reservation,
        microDollars: charge.microDollars,
      })
      return paid ? undefined : record
    },

    async record(call) {
      await write(call)
      return costOfCall(call)
    },
  }
}

function describeReserved(call: AskedCall, { provider, model, price }: CatalogueEntry, attempts: number) {
  return {
    callId: call.id,
    source: call.source,
    provider,
    model: model.id,
    requestedModel: call.requestedModel,
    priceSource: price.source,
    priceVersion: 'version' in price ? price.version : null,
    attempts,
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
