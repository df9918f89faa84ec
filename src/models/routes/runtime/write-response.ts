import type { ChatResponse } from '../../gateway/contract.ts'
import { errorCodeOf, plainErrorMessages } from '../error-messages.ts'
import type { CollectedResponse, EndPart } from '../responses/collect-response.ts'
import type { Stopwatch } from '../responses/stopwatch.ts'
import type { StreamWriter } from '../responses/stream-writer.ts'

export interface RuntimeResponse {
  readonly kind: 'generate' | 'chat'
  readonly answer: ChatResponse
  readonly stopwatch: Stopwatch
}

/** The runtime's own lines, one for each part. Nothing may stand between them, so there is no heartbeat. */
export function createRuntimeWriter(errorFormat: RuntimeResponse): StreamWriter {
  return {
    contentType: 'application/x-ndjson',
    opening: '',
    part(part) {
      if (part.type === 'end') return line(lastWords(errorFormat, { text: '', thinking: '', end: part }))
      const text = part.type === 'text' ? part.text : ''
      const thinking = part.type === 'thinking' ? part.text : ''
      return line({ ...head(errorFormat), ...carry(errorFormat, text, thinking), done: false })
    },
    breakOff: (failure) =>
      line({ error: { code: errorCodeOf(plainErrorMessages, failure), message: failure.message } }),
    heartbeat: undefined,
  }
}

/** The answer in one piece. */
export function writeWhole(errorFormat: RuntimeResponse, collected: CollectedResponse) {
  return lastWords(errorFormat, collected)
}

function lastWords(errorFormat: RuntimeResponse, { text, thinking, end }: CollectedResponse) {
  const own = {
    ...head(errorFormat),
    ...carry(errorFormat, text, thinking),
    done: true,
    done_reason: end.runtime?.['done_reason'] ?? end.finish,
  }
  // First for the order in which it is read, last so that nothing a node says replaces it.
  return { ...own, ...measured(errorFormat, end), ...told(errorFormat, end), ...own }
}

function head({ answer: { model } }: RuntimeResponse) {
  return { model, created_at: new Date().toISOString() }
}

function carry({ kind }: RuntimeResponse, text: string, thinking: string) {
  const thought = thinking === '' ? {} : { thinking }
  return kind === 'chat'
    ? { message: { role: 'assistant', content: text, ...thought } }
    : { response: text, ...thought }
}

/** What we saw ourselves; a node says it more exactly. Nothing that somebody would have to make up. */
function measured({ stopwatch, answer: { cache } }: RuntimeResponse, { usage }: EndPart) {
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
function told({ answer: { cache } }: RuntimeResponse, { runtime = {} }: EndPart) {
  if (cache !== 'hit') return runtime
  return Object.fromEntries(Object.entries(runtime).filter(([name]) => !name.endsWith('_duration')))
}

function nanoseconds(ms: number): number {
  return Math.round(ms * 1_000_000)
}

function line(data: unknown): string {
  return `${JSON.stringify(data)}\n`
}
