import { Failure } from '#kernel/errors'
import type { AnsweredBy, CallCost, Purse } from '#models'
import { noUsage, type StepUsage } from '../step-run.ts'

/** Adds up what the calls of one step take, those that fail included. */
export interface Tally {
  /** The purse of the step; what is paid from it is counted, whatever becomes of the call. */
  readonly purse: Purse
  /** The models answered; `asked` times when it took more than one. */
  answered(by: AnsweredBy, cost: CallCost, asked?: number): void
  /** Nobody answered, after this long; the failure tells who was asked, if anybody was. */
  unanswered(thrown: unknown, aiMs: number): void
  usage(): StepUsage
}

export function createTally(purse: Purse): Tally {
  let usage = noUsage
  let paid = 0
  let isUnpriced = false

  return {
    purse: {
      async reserve(microDollars, reservedFor) {
        const reservation = await purse.reserve(microDollars, reservedFor)
        return {
          settle(cost) {
            paid += cost
            return reservation.settle(cost)
          },
        }
      },
    },
    answered({ provider, model, attempts, cache }, cost, asked = 1) {
      const isHit = cache === 'hit'
      // Neither memory nor what runs in this process is asked over a network; those who were asked before it were.
      const isNear = isHit || provider === 'builtin'
      isUnpriced ||= cost.microDollars === null
      usage = {
        ...usage,
        provider: usage.provider ?? provider,
        model: usage.model ?? model,
        inputTokens: usage.inputTokens + (cost.inputTokens ?? 0),
        outputTokens: usage.outputTokens + (cost.outputTokens ?? 0),
        aiCalls: usage.aiCalls + asked,
        cacheHits: usage.cacheHits + (isHit ? 1 : 0),
        networkRequests: usage.networkRequests + attempts - 1 + (isNear ? 0 : asked),
        aiMs: usage.aiMs + cost.latencyMs,
      }
    },
    unanswered(thrown, aiMs) {
      if (!(thrown instanceof Failure)) return
      const { asked, requests } = askedBefore(thrown)
      if (asked === 0) return
      usage = {
        ...usage,
        inputTokens: usage.inputTokens + numberAt(thrown, 'input_tokens'),
        outputTokens: usage.outputTokens + numberAt(thrown, 'output_tokens'),
        aiCalls: usage.aiCalls + asked,
        networkRequests: usage.networkRequests + requests,
        aiMs: usage.aiMs + aiMs,
      }
    },
    usage: () => ({ ...usage, microDollars: isUnpriced ? null : paid }),
  }
}

/** How often models were asked before it failed, as the gateway tells with its failure. */
function askedBefore(failure: Failure): { readonly asked: number; readonly requests: number } {
  const { provider, others } = failure.details
  const times = numberAt(failure, 'asked')
  const further = Array.isArray(others) ? (others as { readonly provider?: unknown }[]) : []
  const providers = [provider, ...further.map((other) => other.provider)].filter((name) => name !== undefined)
  const far = providers.filter((name) => name !== 'builtin').length
  return { asked: times + (providers.length === 0 ? 0 : 1), requests: times + far }
}

function numberAt({ details }: Failure, name: string): number {
  const value = details[name]
  return typeof value === 'number' ? value : 0
}
