import type { FinishReason } from '../../providers/provider.ts'

export interface CutAnswer {
  readonly text: string
  readonly finish: Extract<FinishReason, 'stop' | 'length'>
  /** Words of what is left, which is what counts as tokens here. */
  readonly tokens: number
}

interface Bounds {
  readonly maxTokens?: number | undefined
  readonly stop?: readonly string[] | undefined
}

/** Ends an answer where it was asked to end: before the first stop sequence, and after so many words. */
export function cutAnswer(answer: string, { maxTokens, stop = [] }: Bounds): CutAnswer {
  const stops = stop.filter((sequence) => sequence !== '').map((sequence) => answer.indexOf(sequence))
  const stopAt = Math.min(answer.length, ...stops.filter((at) => at >= 0))
  const most = maxTokens ?? Number.POSITIVE_INFINITY
  const words = new Intl.Segmenter('und', { granularity: 'word' })
  let tokens = 0
  for (const { index, isWordLike } of words.segment(answer.slice(0, stopAt))) {
    if (isWordLike !== true) continue
    if (tokens >= most) return { text: answer.slice(0, index), finish: 'length', tokens }
    tokens += 1
  }
  return { text: answer.slice(0, stopAt), finish: 'stop', tokens }
}

/** An answer in the pieces it is streamed in: sentences and lines. */
export function* answerPieces(answer: string): Generator<string, void, void> {
  const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })
  for (const { segment } of sentences.segment(answer)) yield segment
}
