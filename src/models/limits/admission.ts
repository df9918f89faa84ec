import { Failure } from '#kernel/errors'
import type { Metrics } from '#kernel/telemetry'
import { limitReached } from './limit-reached.ts'
import { allModels, type LimitsByModel, limitKey, type ModelLimit, type ModelLimits } from './model-limits.ts'
import type { ModelRates } from './model-rates.ts'
import { createSlotQueue, type Slot, type SlotRefusal, type SlotRequest } from './slot-queue.ts'

interface AdmissionRequest extends SlotRequest {
  readonly signal: AbortSignal
  /** Whether the call waits for a concurrency slot; otherwise it is refused at once. */
  readonly mayWait: boolean
}

/** A call that the limits of its model and provider allow. */
interface AdmittedCall {
  /** Ends the call for the limits of concurrent calls. May be called more than once. */
  release(): void
  /** Counts the tokens of the call when it has ended; undefined without a limit of tokens. */
  readonly countTokens: ((tokens: number) => void) | undefined
}

/** Applies the limits of models and providers. */
export interface ModelAdmission extends Disposable {
  /**
   * Admits a call. Throws `model_limit_reached`, the reason of the signal, `database_unavailable` or `shutting_down`. The request counts only
   * if it is admitted, except one whose provider allows it and whose model does not.
   */
  admit(request: AdmissionRequest): Promise<AdmittedCall>
}

export interface AdmissionOptions {
  readonly limits: Pick<ModelLimits, 'read' | 'onChange'>
  readonly rates: ModelRates
  /** How long a call waits for a concurrency slot at most. */
  readonly waitMs: number
  readonly metrics: Metrics
}

/** Running calls end at unknown times; a client that retries then waits again. */
const retryAfterSeconds = 1

export function createAdmission({ limits, rates, waitMs, metrics }: AdmissionOptions): ModelAdmission {
  const refusals = metrics.counter({
    name: 'models_limit_refusals_total',
    help: 'Attempts that a limit of their model or provider kept out.',
    labels: ['provider', 'limit'],
  })
  let current: LimitsByModel = new Map()
  const slots = createSlotQueue({ waitMs, maxOf: (scope) => current.get(scope)?.maxConcurrent ?? undefined })
  limits.onChange((changed) => {
    current = changed
    slots.recheck()
  })
  metrics.gauge({
    name: 'models_limit_waiting',
    help: 'Calls that wait for a concurrency slot of their model or provider.',
    collect: (gauge) => gauge.set(slots.waiting()),
  })

  async function takeSlot({ signal, mayWait, ...request }: AdmissionRequest): Promise<Slot> {
    const taken = slots.take(request) ?? (mayWait ? await slots.wait(request, signal) : undefined)
    if (typeof taken === 'object') return taken
    const scope = slots.blockedBy(request) ?? limitKey(request.provider, request.model)
    const max = current.get(scope)?.maxConcurrent ?? 0
    const model = scope === limitKey(request.provider, allModels) ? allModels : request.model
    throw limitReached(
      { provider: request.provider, model },
      { unit: 'concurrent', max, secondsLeft: retryAfterSeconds, reason: taken && waitReasons[taken] },
    )
  }

  async function admit(request: AdmissionRequest): Promise<AdmittedCall> {
    const known = limitsOf(await limits.read(), request)
    // Checked before the wait for a slot, which would be in vain.
    const refusal = rates.findUsedUp(known)
    if (refusal !== undefined) throw refusal
    const slot = await takeSlot(request)
    try {
      if (known.length > 0) await rates.count(known)
    } catch (error) {
      slot.release()
      throw error
    }
    const hasTokenLimit = known.some(({ tokensPerMinute }) => tokensPerMinute !== null)
    return {
      release: () => slot.release(),
      countTokens: hasTokenLimit ? (tokens) => rates.countTokens(known, tokens) : undefined,
    }
  }

  return {
    async admit(request) {
      try {
        return await admit(request)
      } catch (error) {
        if (error instanceof Failure && error.code === 'model_limit_reached') {
          refusals.inc({ provider: request.provider, limit: String(error.details['unit']) })
        }
        throw error
      }
    },
    [Symbol.dispose]: () => slots[Symbol.dispose](),
  }
}

const waitReasons: Readonly<Record<SlotRefusal, string>> = {
  timed_out: 'and no call has ended in time',
  queue_full: 'and too many calls are waiting already',
}

/** The limits of the provider and of the model. */
function limitsOf(known: LimitsByModel, { provider, model }: SlotRequest): readonly ModelLimit[] {
  if (known.size === 0) return []
  return [limitKey(provider, allModels), limitKey(provider, model)].flatMap((key) => known.get(key) ?? [])
}
