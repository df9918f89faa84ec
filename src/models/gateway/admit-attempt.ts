import type { Reservation } from '../budgets/budget.ts'
import type { ModelAdmission } from '../limits/admission.ts'
import type { ActiveCalls } from './active-calls.ts'
import type { Attempt } from './attempt.ts'
import type { Bound } from './bound.ts'
import type { CallAccounting } from './call-accounting.ts'
import type { EmbedRequest } from './contract.ts'
import type { GatewayCall } from './gateway-call.ts'

/** The parts of the gateway that decide whether an attempt may start. */
export interface Gatekeepers {
  /** The limits of models and providers; undefined: there are none. */
  readonly admission: ModelAdmission | undefined
  readonly callAccounting: CallAccounting
  /** Counts the running calls of each provider. */
  readonly calls: ActiveCalls
}

/** An attempt that may call its provider. */
export interface AdmittedAttempt extends Pick<Attempt, 'countTokens' | 'bound'> {
  readonly reservation: Reservation | undefined
  /** Ends the call of the provider: frees its concurrency slot. May be called more than once. */
  readonly end: () => void
}

interface AttemptToAdmit extends Pick<Attempt, 'entry' | 'number'> {
  /** The possible bounds of its cost, the largest first; none for a free attempt. */
  readonly bounds: readonly Bound[]
  /** No candidate follows, so the attempt waits where another one would be tried at once. */
  readonly isLast: boolean
}

/**
 * Admits an attempt, or returns the reason why it is not made. The budget is reserved after the slot is granted, so that a waiting call
 * reserves no money. Does not throw.
 */
export async function admitAttempt(
  { admission, callAccounting, calls }: Gatekeepers,
  request: Pick<EmbedRequest, 'budget' | 'signal'>,
  call: GatewayCall,
  { isLast, ...attempt }: AttemptToAdmit,
): Promise<AdmittedAttempt | { readonly skipped: unknown }> {
  const { provider, model } = attempt.entry
  if (request.signal.aborted) return { skipped: request.signal.reason }
  try {
    const slot = await admission?.admit({
      provider,
      model: model.id,
      accountId: call.accountId,
      signal: request.signal,
      mayWait: isLast,
    })
    const reserved = await callAccounting.reserve(request, call, attempt)
    if ('skipped' in reserved) {
      slot?.release()
      return reserved
    }
    const endCall = calls.start(provider)
    return {
      bound: reserved.bound,
      reservation: reserved.reservation,
      countTokens: slot?.countTokens,
      end() {
        endCall()
        slot?.release()
      },
    }
  } catch (error) {
    return { skipped: error }
  }
}
