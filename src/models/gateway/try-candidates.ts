import { Failure } from '#kernel/errors'
import { mayFallBack, type ProviderFailure } from '../providers/provider-failure.ts'
import type { CallRecord } from '../usage/call-record.ts'
import type { Attempt } from './attempt.ts'
import type { CallAccounting } from './call-accounting.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import { explainFailure } from './explain-failure.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'

/** What became of one candidate's turn. Whoever throws instead has closed the books on the call. */
export type AttemptResult<Answer> =
  | { readonly answer: Answer }
  /** It was asked and did not begin to answer. */
  | { readonly attempt: Attempt; readonly failure: ProviderFailure }
  /** It was not asked: there is no money for it, or nobody waits any more. */
  | { readonly skipped: unknown }

export interface TryCandidatesOptions<Answer> {
  readonly candidates: readonly CatalogueEntry[]
  /** `number` counts those who were asked, this one included. */
  readonly ask: (entry: CatalogueEntry, number: number) => Promise<AttemptResult<Answer>>
  readonly callAccounting: CallAccounting
  readonly metrics: GatewayMetrics
}

interface Missed {
  readonly entry: CatalogueEntry
  readonly failure: Failure
}

/**
 * Asks one after the other until one begins to answer. When nobody does, the failure of the first is thrown: it is about
 * the model that was asked for.
 *
 * | the turn                                     | what follows                                                   |
 * |----------------------------------------------|----------------------------------------------------------------|
 * | answer                                       | it is the answer of the call                                   |
 * | failed, and another may be asked             | its money is freed, then the next                              |
 * | failed, and asking elsewhere would not help  | the call is recorded as failed                                 |
 * | too dear for the budget                      | the next, which may cost less or nothing                       |
 * | unasked for another reason                   | thrown as it is                                                |
 */
export async function tryCandidates<Answer>(options: TryCandidatesOptions<Answer>): Promise<Answer> {
  const { candidates, ask, callAccounting, metrics } = options
  const missed: Missed[] = []
  /** The row of the last one asked, which becomes the row of the call if nobody else is. */
  let unwritten: CallRecord | undefined
  let number = 1
  for (const [index, entry] of candidates.entries()) {
    if (index > 0) metrics.fellBack(entry.provider)
    const turn = await ask(entry, number)
    if ('answer' in turn) return turn.answer
    if ('skipped' in turn) {
      if (isOverBudget(turn.skipped)) {
        metrics.refused(turn.skipped.code)
        missed.push({ entry, failure: turn.skipped })
        continue
      }
      if (unwritten !== undefined) await callAccounting.record(unwritten)
      throw turn.skipped
    }
    const { attempt, failure } = turn
    number += 1
    metrics.attemptFailed(entry.provider, failure.kind)
    const explained = explainFailure(failure, {
      provider: entry.provider,
      model: entry.model.id,
      begun: false,
    })
    missed.push({ entry, failure: explained })
    const ending = { outcome: 'failed', kind: failure.kind, code: explained.code } as const
    if (!mayFallBack(failure) || index === candidates.length - 1) {
      await callAccounting.close(attempt, ending)
      throw combinedFailure(missed)
    }
    unwritten = await callAccounting.passOver(attempt, ending)
  }
  if (unwritten !== undefined) await callAccounting.record(unwritten)
  throw combinedFailure(missed)
}

function isOverBudget(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && thrown.code === 'budget_used_up'
}

function combinedFailure([first, ...others]: readonly Missed[]): Error {
  if (first === undefined) return new TypeError('nobody was to be asked')
  const { failure } = first
  if (others.length === 0) return failure
  const told = others.map(({ entry, failure: { code, message } }) => ({
    provider: entry.provider,
    model: entry.model.id,
    code,
    message,
  }))
  return new Failure(failure.code, failure, {
    details: { ...failure.details, others: told },
    cause: failure,
    ...(failure.retryAfterSeconds !== undefined && { retryAfterSeconds: failure.retryAfterSeconds }),
  })
}
