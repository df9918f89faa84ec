import { ApiFailure, unreachable } from '../../api/api-failure.ts'
import type { AnsweredBy, AnswerPart, TokenCounts } from './ask-model.ts'

/**
 * A streaming answer.
 *
 * | state     | on                           | next     |
 * |-----------|------------------------------|----------|
 * | asking    | first text or reasoning      | coming   |
 * | coming    | more text or reasoning       | coming   |
 * | both      | end of the stream            | answered |
 * | both      | the user stops the answer    | stopped  |
 * | both      | refusal, or connection lost  | failed   |
 */
export interface Answer {
  readonly state: 'asking' | 'coming' | 'answered' | 'stopped' | 'failed'
  readonly text: string
  /** The reasoning of the model before its answer. */
  readonly thinking: string
  readonly by?: AnsweredBy
  /** The finish reason: `stop`, `length`, `content_filter`. */
  readonly finish?: string
  readonly tokens?: TokenCounts
  /** The time from the question to the first token, measured in the browser. */
  readonly firstMs?: number
  /** The time from the question to the end. */
  readonly totalMs?: number
  readonly failure?: ApiFailure
}

export const unanswered: Answer = { state: 'asking', text: '', thinking: '' }

export function isOver({ state }: Answer): boolean {
  return state !== 'asking' && state !== 'coming'
}

/** The answer with one more part, which arrived `afterMs` after the question. */
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

/** The answer at its end: complete, or stopped by the user. */
export function endAnswer(answer: Answer, how: 'answered' | 'stopped', afterMs: number): Answer {
  return { ...answer, state: how, totalMs: afterMs }
}

export function failAnswer(answer: Answer, error: unknown, afterMs: number): Answer {
  const failure = error instanceof ApiFailure ? error : unreachable(error)
  return { ...answer, state: 'failed', failure, totalMs: afterMs }
}
