import { ApiFailure, unreachable } from '../../api/api-failure.ts'
import type { AnsweredBy, AnswerPart, TokenCounts } from './ask-model.ts'

/**
 * An answer as it grows.
 *
 * | state     | on                           | next     |
 * |-----------|------------------------------|----------|
 * | asking    | the first word, or a thought | coming   |
 * | coming    | more of it                   | coming   |
 * | both      | its end                      | answered |
 * | both      | the person stops it          | stopped  |
 * | both      | a refusal, or it breaks off  | failed   |
 */
export interface Answer {
  readonly state: 'asking' | 'coming' | 'answered' | 'stopped' | 'failed'
  readonly text: string
  /** What a model thinks aloud before it answers. */
  readonly thinking: string
  readonly by?: AnsweredBy
  /** Why it ended: `stop`, `length`, `content_filter`. */
  readonly finish?: string
  readonly tokens?: TokenCounts
  /** From the question to the first word, as it was seen here. */
  readonly firstMs?: number
  /** From the question to the end. */
  readonly totalMs?: number
  readonly failure?: ApiFailure
}

export const unanswered: Answer = { state: 'asking', text: '', thinking: '' }

export function isOver({ state }: Answer): boolean {
  return state !== 'asking' && state !== 'coming'
}

/** The answer with one more part, which came this long after the question. */
export function growAnswer(answer: Answer, part: AnswerPart, afterMs: number): Answer {
  switch (part.type) {
    case 'begun':
      return { ...answer, by: part.by }
    case 'finish':
      return { ...answer, finish: part.reason }
    case 'tokens':
      return { ...answer, tokens: part.tokens }
    default:
      return {
        ...answer,
        state: 'coming',
        [part.type]: answer[part.type] + part.text,
        firstMs: answer.firstMs ?? afterMs,
      }
  }
}

/** The answer at its end: as it should, stopped by the person, or failed. */
export function endAnswer(answer: Answer, how: 'answered' | 'stopped', afterMs: number): Answer {
  return { ...answer, state: how, totalMs: afterMs }
}

export function failAnswer(answer: Answer, error: unknown, afterMs: number): Answer {
  const failure = error instanceof ApiFailure ? error : unreachable(error)
  return { ...answer, state: 'failed', failure, totalMs: afterMs }
}
