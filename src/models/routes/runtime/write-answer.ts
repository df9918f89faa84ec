import type { ChatAnswer } from '../../gateway/contract.ts'
import type { AnswerWriter } from '../answers/answer-writer.ts'
import type { CollectedAnswer, EndPart } from '../answers/collect-answer.ts'
import type { Stopwatch } from '../answers/stopwatch.ts'
import { plainWording, wordCode } from '../wording.ts'

export interface RuntimeVoice {
  readonly kind: 'generate' | 'chat'
  readonly answer: ChatAnswer
  readonly stopwatch: Stopwatch
}

/** The runtime's own lines, one for each part. Nothing may stand between them, so there is no heartbeat. */
export function createRuntimeWriter(voice: RuntimeVoice): AnswerWriter {
  return {
    contentType: 'application/x-ndjson',
    opening: '',
    part(part) {
      if (part.type === 'end') return line(lastWords(voice, { text: '', thinking: '', end: part }))
      const text = part.type === 'text' ? part.text : ''
      const thinking = part.type === 'thinking' ? part.text : ''
      return line({ ...head(voice), ...carry(voice, text, thinking), done: false })
    },
    breakOff: (failure) =>
      line({ error: { code: wordCode(plainWording, failure), message: failure.message } }),
    heartbeat: undefined,
  }
}

/** The answer in one piece. */
export function writeWhole(voice: RuntimeVoice, collected: CollectedAnswer) {
  return lastWords(voice, collected)
}

function lastWords(voice: RuntimeVoice, { text, thinking, end }: CollectedAnswer) {
  const own = {
    ...head(voice),
    ...carry(voice, text, thinking),
    done: true,
    done_reason: end.runtime?.['done_reason'] ?? end.finish,
  }
  // First for the order in which it is read, last so that nothing a node says replaces it.
  return { ...own, ...measured(voice, end), ...told(voice, end), ...own }
}

function head({ answer: { model } }: RuntimeVoice) {
  return { model, created_at: new Date().toISOString() }
}

function carry({ kind }: RuntimeVoice, text: string, thinking: string) {
  const thought = thinking === '' ? {} : { thinking }
  return kind === 'chat'
    ? { message: { role: 'assistant', content: text, ...thought } }
    : { response: text, ...thought }
}

/** What we saw ourselves; a node says it more exactly. Nothing that somebody would have to make up. */
function measured({ stopwatch, answer: { cache } }: RuntimeVoice, { usage }: EndPart) {
  const [totalMs, firstPartMs] = [stopwatch.totalMs(), stopwatch.firstPartMs()]
  return {
    total_duration: nanoseconds(totalMs),
    ...(cache !== 'hit' && {
      prompt_eval_duration: nanoseconds(firstPartMs),
      eval_duration: nanoseconds(totalMs - firstPartMs),
    }),
    ...(usage.inputTokens !== null && { prompt_eval_count: usage.inputTokens }),
    ...(usage.outputTokens !== null && { eval_count: usage.outputTokens }),
  }
}

/** What the node said. How long it took then is not how long it took now that we remembered. */
function told({ answer: { cache } }: RuntimeVoice, { runtime = {} }: EndPart) {
  if (cache !== 'hit') return runtime
  return Object.fromEntries(Object.entries(runtime).filter(([name]) => !name.endsWith('_duration')))
}

function nanoseconds(ms: number): number {
  return Math.round(ms * 1_000_000)
}

function line(data: unknown): string {
  return `${JSON.stringify(data)}\n`
}
