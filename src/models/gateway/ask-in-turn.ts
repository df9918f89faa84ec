import { Failure } from '#kernel/errors'
import { mayBeAskedElsewhere, type ProviderFailure } from '../providers/provider-failure.ts'
import type { CallRecord } from '../usage/call-record.ts'
import type { Attempt } from './attempt.ts'
import type { Books } from './books.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import { explainFailure } from './explain-failure.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'

/** What became of one candidate's turn. Whoever throws instead has closed the books on the call. */
export type Turn<Answer> =
  | { readonly answer: Answer }
  /** It was asked and did not begin to answer. */
  | { readonly attempt: Attempt; readonly failure: ProviderFailure }
  /** It was not asked: there is no money for it, or nobody waits any more. */
  | { readonly unasked: unknown }

export interface AskInTurnOptions<Answer> {
  readonly candidates: readonly CatalogueEntry[]
  /** `number` counts those who were asked, this one included. */
  readonly ask: (entry: CatalogueEntry, number: number) => Promise<Turn<Answer>>
  readonly books: Books
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
export async function askInTurn<Answer>(options: AskInTurnOptions<Answer>): Promise<Answer> {
  const { candidates, ask, books, metrics } = options
  const missed: Missed[] = []
  /** The row of the last one asked, which becomes the row of the call if nobody else is. */
  let unwritten: CallRecord | undefined
  let number = 1
  for (const [index, entry] of candidates.entries()) {
    if (index > 0) metrics.fellBack(entry.provider)
    const turn = await ask(entry, number)
    if ('answer' in turn) return turn.answer
    if ('unasked' in turn) {
      if (isTooDear(turn.unasked)) {
        metrics.refused(turn.unasked.code)
        missed.push({ entry, failure: turn.unasked })
        continue
      }
      if (unwritten !== undefined) await books.record(unwritten)
      throw turn.unasked
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
    if (!mayBeAskedElsewhere(failure) || index === candidates.length - 1) {
      await books.close(attempt, ending)
      throw failureOfAll(missed)
    }
    unwritten = await books.passOver(attempt, ending)
  }
  if (unwritten !== undefined) await books.record(unwritten)
  throw failureOfAll(missed)
}

function isTooDear(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && thrown.code === 'budget_used_up'
}

function failureOfAll([first, ...others]: readonly Missed[]): Error {
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
