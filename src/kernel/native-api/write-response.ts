import { performance } from 'node:perf_hooks'
import type { ResponsePart, ToolCall } from './call.ts'

type EndPart = Extract<ResponsePart, { type: 'end' }>

/** What a response of the native API contains besides its parts. */
export interface NativeFormat {
  readonly kind: 'generate' | 'chat'
  readonly model: string
  readonly stopwatch: Stopwatch
  /** The response comes from a cache: it has no durations of a model. */
  readonly isCached?: boolean
}

/** Writes lines of JSON for each part; empty for a part without a line. A tool call is written as a whole, before the last line. */
export function createLineWriter(format: NativeFormat): (part: ResponsePart) => string {
  const toolCalls: { id: string; name: string; arguments: string }[] = []
  const lineOf = (message: MessageFields) =>
    line({ ...commonFields(format), ...contentFields(format, message), done: false })
  return (part) => {
    switch (part.type) {
      case 'text':
        return lineOf({ text: part.text })
      case 'thinking':
        return lineOf({ thinking: part.text })
      case 'thinking_end':
        return ''
      case 'tool_call':
        toolCalls[part.index] = { id: part.id, name: part.name, arguments: '' }
        return ''
      case 'tool_arguments': {
        const call = toolCalls[part.index]
        if (call !== undefined) call.arguments += part.text
        return ''
      }
      default: {
        const calls = toolCalls.length === 0 ? '' : lineOf({ toolCalls })
        return calls + line(writeFinal(format, {}, part))
      }
    }
  }
}

/** The last line of a stream, or with all of `message` a response without streaming. */
export function writeFinal(format: NativeFormat, message: MessageFields, end: EndPart) {
  const own = {
    ...commonFields(format),
    ...contentFields(format, message),
    done: true,
    done_reason: end.runtime?.['done_reason'] ?? (end.finish === 'tool_calls' ? 'stop' : end.finish),
  }
  // First for the order of the fields, last so that no field of a node replaces them.
  return { ...own, ...measuredFields(format, end), ...nodeFields(format, end), ...own }
}

/** The response to `embed`. */
export function writeVectors(
  model: string,
  {
    vectors,
    inputTokens,
  }: { readonly vectors: readonly (readonly number[])[]; readonly inputTokens: number | null },
  totalMs: number,
) {
  return {
    model,
    embeddings: vectors.map((vector) => [...vector]),
    total_duration: nanoseconds(totalMs),
    ...(inputTokens !== null && { prompt_eval_count: inputTokens }),
  }
}

function commonFields({ model }: NativeFormat) {
  return { model, created_at: new Date().toISOString() }
}

/** The content of a response. */
interface MessageFields {
  readonly text?: string
  readonly thinking?: string
  readonly toolCalls?: readonly ToolCall[]
}

function contentFields({ kind }: NativeFormat, { text = '', thinking = '', toolCalls = [] }: MessageFields) {
  const thought = thinking === '' ? {} : { thinking }
  if (kind === 'generate') return { response: text, ...thought }
  const calls = toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(runtimeToolCallOf) }
  return { message: { role: 'assistant', content: text, ...thought, ...calls } }
}

/** The format has the arguments as an object. Arguments that are no JSON object are sent as `{ "arguments": text }`. */
function runtimeToolCallOf({ id, name, arguments: text }: ToolCall, index: number) {
  return { id, function: { index, name, arguments: parseArguments(text) } }
}

function parseArguments(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The client gets the text as the model wrote it.
  }
  return { arguments: text }
}

/** The measured durations and the reported usage; a node reports more exact durations. */
function measuredFields({ stopwatch, isCached }: NativeFormat, { usage }: EndPart) {
  const [totalMs, firstPartMs] = [stopwatch.totalMs(), stopwatch.firstPartMs()]
  return {
    total_duration: nanoseconds(totalMs),
    ...(!isCached && {
      prompt_eval_duration: nanoseconds(firstPartMs),
      eval_duration: nanoseconds(totalMs - firstPartMs),
    }),
    ...(usage.inputTokens !== null && { prompt_eval_count: usage.inputTokens }),
    ...(usage.outputTokens !== null && { eval_count: usage.outputTokens }),
  }
}

/** The further fields of a node. Its durations do not apply to a response from the cache. */
function nodeFields({ isCached }: NativeFormat, { runtime = {} }: EndPart) {
  if (!isCached) return runtime
  return Object.fromEntries(Object.entries(runtime).filter(([name]) => !name.endsWith('_duration')))
}

/** Durations of the native API are in nanoseconds. */
function nanoseconds(ms: number): number {
  return Math.round(ms * 1_000_000)
}

function line(data: unknown): string {
  return `${JSON.stringify(data)}\n`
}

/** Measures a response, for providers that report no durations. */
export interface Stopwatch {
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
