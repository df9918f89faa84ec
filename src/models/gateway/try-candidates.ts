import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '#kernel/errors'
import { mayFallBack, type ProviderFailure } from '../providers/provider-failure.ts'
import type { CallRecord } from '../usage/call-record.ts'
import type { Attempt } from './attempt.ts'
import type { CallAccounting } from './call-accounting.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { ResponseMetadata } from './contract.ts'
import { explainFailure } from './explain-failure.ts'
import type { GatewayCall } from './gateway-call.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import type { Retries } from './retries.ts'

/** The result of one attempt. An attempt that throws instead has already recorded the call. */
export type AttemptResult<Response> =
  | { readonly response: Response }
  | FailedAttempt
  /** The provider was not called: the budget or a limit does not allow it, or the caller disconnected. */
  | { readonly skipped: unknown }

/** The provider was called and failed before the first part. */
interface FailedAttempt {
  readonly attempt: Attempt
  readonly failure: ProviderFailure
}

export interface TryCandidatesOptions<Response extends ResponseMetadata> {
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
  readonly retryPolicy: Retries
  /** Ends the pause before a retry. */
  readonly signal: AbortSignal
  /** How often a candidate that is rate limited or unavailable is tried again. Default: that of the policy. */
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
 * | failed, the retry policy allows a retry      | its reservation is released, the candidate is tried again      |
 * | failed, fallback allowed                     | its reservation is released, the next candidate is tried       |
 * | failed, fallback would not help              | the call is recorded as failed                                 |
 * | skipped, over budget                         | the next candidate is tried, which may cost less or nothing    |
 * | skipped, a limit of the model is reached     | the next candidate is tried; the last one has waited already   |
 * | skipped for another reason                   | its reason is thrown                                           |
 */
export async function tryCandidates<Response extends ResponseMetadata>(
  options: TryCandidatesOptions<Response>,
): Promise<Response> {
  const { call, candidates, attempt: tryOne, callAccounting, metrics, retryPolicy, signal } = options
  const { retries = retryPolicy.usual } = options
  call.route.setCandidates(candidates)
  const failed: FailedCandidate[] = []
  /** The row of the last failed attempt, which becomes the row of the call when no further attempt is made. */
  let unrecorded: CallRecord | undefined
  let number = 1
  for (const [index, entry] of candidates.entries()) {
    if (index > 0) metrics.fellBack(entry.provider)
    const response = await tryCandidate(entry, index === candidates.length - 1)
    if (response !== undefined) return response
  }
  await recordLast(unrecorded)
  throw combinedFailure(failed)

  /** Tries a candidate, if necessary more than once. Undefined: the next candidate is tried. */
  async function tryCandidate(entry: CatalogueEntry, isLast: boolean): Promise<Response | undefined> {
    for (let retry = 0; ; retry += 1) {
      const result = await tryOne(entry, number, isLast)
      if ('skipped' in result) {
        if (!isRefused(result.skipped)) {
          await recordLast(unrecorded)
          throw result.skipped
        }
        metrics.refused(result.skipped.code)
        failed.push({ entry, failure: result.skipped })
        call.route.add(entry, { outcome: 'skipped', code: result.skipped.code })
        return undefined
      }
      if (retry === 0 && !isCached(result)) retryPolicy.countCall(entry.provider)
      if ('response' in result) return result.response
      const pauseMs = await endAttempt(entry, result, { isLast, retry })
      if (pauseMs === undefined) return undefined
      // A caller that leaves meanwhile is found by the next attempt.
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }

  /** Ends a failed attempt. Returns the pause before a retry; undefined: the next candidate is tried. */
  async function endAttempt(
    entry: CatalogueEntry,
    { attempt, failure }: FailedAttempt,
    { isLast, retry }: { readonly isLast: boolean; readonly retry: number },
  ): Promise<number | undefined> {
    number += 1
    metrics.attemptFailed(entry.provider, failure.kind)
    const explained = explainFailure(failure, {
      provider: entry.provider,
      model: entry.model.id,
      begun: false,
    })
    const ending = { outcome: 'failed', kind: failure.kind, code: explained.code } as const
    const pauseMs = retry < retries ? retryPolicy.take(entry.provider, failure, retry) : undefined
    if (pauseMs === undefined) {
      failed.push({ entry, failure: explained })
      if (!mayFallBack(failure) || isLast) {
        await callAccounting.close(attempt, ending)
        throw combinedFailure(failed)
      }
    }
    unrecorded = await callAccounting.endFailedAttempt(attempt, ending)
    call.route.add(entry, attempt.resultOf(ending))
    return pauseMs
  }

  async function recordLast(record: CallRecord | undefined): Promise<void> {
    if (record === undefined) call.observer.onFailure(failed[0]?.failure.code ?? 'cancelled')
    else await callAccounting.record(call, { ...record, route: call.route.describe() })
  }
}

/** A response of the cache needs no call of the provider. */
function isCached(result: { readonly response: ResponseMetadata } | FailedAttempt): boolean {
  return 'response' in result && result.response.cache === 'hit'
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
