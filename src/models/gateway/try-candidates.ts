import { Failure } from '#kernel/errors'
import { mayFallBack, type ProviderFailure } from '../providers/provider-failure.ts'
import type { CallRecord } from '../usage/call-record.ts'
import type { Attempt } from './attempt.ts'
import type { CallAccounting } from './call-accounting.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import { explainFailure } from './explain-failure.ts'
import type { GatewayCall } from './gateway-call.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'

/** The result of one attempt. An attempt that throws instead has already recorded the call. */
export type AttemptResult<Response> =
  | { readonly response: Response }
  /** The provider was called and failed before the first part. */
  | { readonly attempt: Attempt; readonly failure: ProviderFailure }
  /** The provider was not called: the budget or a limit does not allow it, or the caller disconnected. */
  | { readonly skipped: unknown }

export interface TryCandidatesOptions<Response> {
  readonly call: GatewayCall
  readonly candidates: readonly CatalogueEntry[]
  /** `number` counts the attempts, this one included; `isLast`: no candidate follows. */
  readonly attempt: (
    entry: CatalogueEntry,
    number: number,
    isLast: boolean,
  ) => Promise<AttemptResult<Response>>
  readonly callAccounting: CallAccounting
  readonly metrics: GatewayMetrics
  /** How often a candidate that is rate limited or unavailable is tried again. Default: 0. */
  readonly retries?: number | undefined
}

interface FailedCandidate {
  readonly entry: CatalogueEntry
  readonly failure: Failure
}

/**
 * Tries the candidates in order until one starts to respond. When all fail, throws the failure of the first candidate, which
 * is the requested model, with the other failures in its details.
 *
 * | result of the attempt                        | then                                                           |
 * |----------------------------------------------|----------------------------------------------------------------|
 * | response                                     | returned as the response of the call                           |
 * | failed, fallback allowed                     | its reservation is released, the next candidate is tried       |
 * | failed, fallback would not help              | the call is recorded as failed                                 |
 * | skipped, over budget                         | the next candidate is tried, which may cost less or nothing    |
 * | skipped, a limit of the model is reached     | the next candidate is tried; the last one has waited already   |
 * | skipped for another reason                   | its reason is thrown                                           |
 */
export async function tryCandidates<Response>(options: TryCandidatesOptions<Response>): Promise<Response> {
  const { call, candidates, attempt: tryOne, callAccounting, metrics } = options
  call.route.setCandidates(candidates)
  const failed: FailedCandidate[] = []
  /** The row of the last failed attempt, which becomes the row of the call when no further candidate is tried. */
  let unrecorded: CallRecord | undefined
  let number = 1
  for (const [index, entry] of candidates.entries()) {
    if (index > 0) metrics.fellBack(entry.provider)
    const isLast = index === candidates.length - 1
    const result = await tryOne(entry, number, isLast)
    if ('response' in result) return result.response
    if ('skipped' in result) {
      if (isRefused(result.skipped)) {
        metrics.refused(result.skipped.code)
        failed.push({ entry, failure: result.skipped })
        call.route.add(entry, { outcome: 'skipped', code: result.skipped.code })
        continue
      }
      await recordLast(unrecorded)
      throw result.skipped
    }
    const { attempt, failure } = result
    number += 1
    metrics.attemptFailed(entry.provider, failure.kind)
    const explained = explainFailure(failure, {
      provider: entry.provider,
      model: entry.model.id,
      begun: false,
    })
    failed.push({ entry, failure: explained })
    const ending = { outcome: 'failed', kind: failure.kind, code: explained.code } as const
    if (!mayFallBack(failure) || isLast) {
      await callAccounting.close(attempt, ending)
      throw combinedFailure(failed)
    }
    unrecorded = await callAccounting.endFailedAttempt(attempt, ending)
    call.route.add(entry, attempt.resultOf(ending))
  }
  await recordLast(unrecorded)
  throw combinedFailure(failed)

  async function recordLast(record: CallRecord | undefined): Promise<void> {
    if (record === undefined) call.observer.onFailure(failed[0]?.failure.code ?? 'cancelled')
    else await callAccounting.record(call, { ...record, route: call.route.describe() })
  }
}

const refusals: ReadonlySet<string> = new Set(['budget_used_up', 'model_limit_reached'])

/** Whether another candidate may be allowed. */
function isRefused(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && refusals.has(thrown.code)
}

function combinedFailure([first, ...others]: readonly FailedCandidate[]): Error {
  if (first === undefined) return new TypeError('there are no candidates')
  const { failure } = first
  if (others.length === 0) return failure
  const otherFailures = others.map(({ entry, failure: { code, message } }) => ({
    provider: entry.provider,
    model: entry.model.id,
    code,
    message,
  }))
  return new Failure(failure.code, failure, {
    details: { ...failure.details, others: otherFailures },
    cause: failure,
    ...(failure.retryAfterSeconds !== undefined && { retryAfterSeconds: failure.retryAfterSeconds }),
  })
}
