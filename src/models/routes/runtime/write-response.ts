import { performance } from 'node:perf_hooks'
import type { ChatResponse } from '../../gateway/contract.ts'
import { errorCodeOf, plainErrorMessages } from '../error-messages.ts'
import type { CollectedResponse, EndPart } from '../responses/collect-response.ts'
import type { StreamWriter } from '../responses/send-stream.ts'

/** The fields of a call that the response format of the model runtime contains. */
export interface RuntimeFormat {
  readonly kind: 'generate' | 'chat'
  readonly response: ChatResponse
  readonly stopwatch: Stopwatch
}

/** Writes one line of JSON for each part. The format has no comments, so there is no heartbeat. */
export function createRuntimeWriter(format: RuntimeFormat): StreamWriter {
  return {
    contentType: 'application/x-ndjson',
    opening: '',
    part(part) {
      if (part.type === 'end') return line(finalObject(format, { text: '', thinking: '', end: part }))
      const text = part.type === 'text' ? part.text : ''
      const thinking = part.type === 'thinking' ? part.text : ''
      return line({ ...commonFields(format), ...contentFields(format, text, thinking), done: false })
    },
    failure: (failure) =>
      line({ error: { code: errorCodeOf(plainErrorMessages, failure), message: failure.message } }),
    heartbeat: undefined,
  }
}

/** The response without streaming. */
export function writeWhole(format: RuntimeFormat, collected: CollectedResponse) {
  return finalObject(format, collected)
}

function finalObject(format: RuntimeFormat, { text, thinking, end }: CollectedResponse) {
  const own = {
    ...commonFields(format),
    ...contentFields(format, text, thinking),
    done: true,
    done_reason: end.runtime?.['done_reason'] ?? end.finish,
  }
  // First for the order of the fields, last so that no field of a node replaces them.
  return { ...own, ...measuredFields(format, end), ...nodeFields(format, end), ...own }
}

function commonFields({ response: { model } }: RuntimeFormat) {
  return { model, created_at: new Date().toISOString() }
}

function contentFields({ kind }: RuntimeFormat, text: string, thinking: string) {
  const thought = thinking === '' ? {} : { thinking }
  return kind === 'chat'
    ? { message: { role: 'assistant', content: text, ...thought } }
    : { response: text, ...thought }
}

/** The durations measured by the gateway and the reported usage; a node reports more exact durations. */
function measuredFields({ stopwatch, response: { cache } }: RuntimeFormat, { usage }: EndPart) {
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

/** The further fields of a node. Its durations do not apply to a response from the cache. */
function nodeFields({ response: { cache } }: RuntimeFormat, { runtime = {} }: EndPart) {
  if (cache !== 'hit') return runtime
  return Object.fromEntries(Object.entries(runtime).filter(([name]) => !name.endsWith('_duration')))
}

function nanoseconds(ms: number): number {
  return Math.round(ms * 1_000_000)
}

function line(data: unknown): string {
  return `${JSON.stringify(data)}\n`
}

/** Measures a response, for providers that report no durations. */
interface Stopwatch {
  /** Notes that the first part has arrived. */
  onFirstPart(): void
  totalMs(): number
  firstPartMs(): number
}

export function startStopwatch(): Stopwatch {
  const startedAtMs = performance.now()
  let firstPartAtMs = startedAtMs
  return {
    onFirstPart() {
      firstPartAtMs = performance.now()
    },
    totalMs: () => performance.now() - startedAtMs,
    firstPartMs: () => firstPartAtMs - startedAtMs,
  }
}
