import { Failure } from '#kernel/errors'
import type { Budget, CallCost, ResponseMetadata } from '#models'
import { noUsage, type StepUsage } from '../step-run.ts'

/** Adds up the usage of the model calls of one step, also of calls that fail. */
interface UsageMeter {
  /** The budget of the step. What is paid from it is counted, whether or not the call succeeds. */
  readonly budget: Budget
  /** A call succeeded, after `calls` calls. */
  completed(respondent: ResponseMetadata, cost: CallCost, calls?: number): void
  /** A call failed after this time. The failure names the providers that were tried. */
  failed(thrown: unknown, aiMs: number): void
  usage(): StepUsage
}

export function createUsageMeter(budget: Budget): UsageMeter {
  let usage = noUsage
  let paid = 0
  let isUnpriced = false

  return {
    budget: {
      async reserve(microDollars, reservedFor) {
        const reservation = await budget.reserve(microDollars, reservedFor)
        return {
          settle(cost) {
            paid += cost
            return reservation.settle(cost)
          },
        }
      },
    },
    completed({ provider, model, attempts, cache }, cost, calls = 1) {
      const isHit = cache === 'hit'
      // The cache and the built-in provider need no network; the providers that were tried before did.
      const isLocal = isHit || provider === 'builtin'
      isUnpriced ||= cost.microDollars === null
      usage = {
        ...usage,
        provider: usage.provider ?? provider,
        model: usage.model ?? model,
        inputTokens: usage.inputTokens + (cost.inputTokens ?? 0),
        outputTokens: usage.outputTokens + (cost.outputTokens ?? 0),
        aiCalls: usage.aiCalls + calls,
        cacheHits: usage.cacheHits + (isHit ? 1 : 0),
        networkRequests: usage.networkRequests + attempts - 1 + (isLocal ? 0 : calls),
        aiMs: usage.aiMs + cost.latencyMs,
      }
    },
    failed(thrown, aiMs) {
      if (!(thrown instanceof Failure)) return
      const { calls, requests } = callsBefore(thrown)
      if (calls === 0) return
      usage = {
        ...usage,
        inputTokens: usage.inputTokens + numberAt(thrown, 'input_tokens'),
        outputTokens: usage.outputTokens + numberAt(thrown, 'output_tokens'),
        aiCalls: usage.aiCalls + calls,
        networkRequests: usage.networkRequests + requests,
        aiMs: usage.aiMs + aiMs,
      }
    },
    usage: () => ({ ...usage, microDollars: isUnpriced ? null : paid }),
  }
}

/** The calls made before the failure, from the details the gateway adds to it. */
function callsBefore(failure: Failure): { readonly calls: number; readonly requests: number } {
  const { provider, others } = failure.details
  const times = numberAt(failure, 'asked')
  const further = Array.isArray(others) ? (others as { readonly provider?: unknown }[]) : []
  const providers = [provider, ...further.map((other) => other.provider)].filter((name) => name !== undefined)
  const remote = providers.filter((name) => name !== 'builtin').length
  return { calls: times + (providers.length === 0 ? 0 : 1), requests: times + remote }
}

function numberAt({ details }: Failure, name: string): number {
  const value = details[name]
  return typeof value === 'number' ? value : 0
}
