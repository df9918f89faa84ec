import { performance } from 'node:perf_hooks'
import type { Failure } from '#kernel/errors'
import type { ChatResponse, EmbedResponse } from '../../gateway/contract.ts'
import type { ToolCall } from '../../providers/provider.ts'
import { type CollectedResponse, type EndPart, thinkingTextOf } from '../responses/collect-response.ts'
import type { StreamWriter } from '../responses/send-stream.ts'

/** The fields of a call that the response format of the model runtime contains. */
export interface RuntimeFormat {
  readonly kind: 'generate' | 'chat'
  readonly response: ChatResponse
  readonly stopwatch: Stopwatch
  /** The `error` of a stream that breaks. */
  readonly describeFailure: (failure: Failure) => unknown
}

/** Writes one line of JSON for each part. The format has no comments, so there is no heartbeat; a tool call is sent as a whole. */
export function createRuntimeWriter(format: RuntimeFormat): StreamWriter {
  const toolCalls: { id: string; name: string; arguments: string }[] = []
  const lineOf = (message: MessageFields) =>
    line({ ...commonFields(format), ...contentFields(format, message), done: false })
  return {
    contentType: 'application/x-ndjson',
    opening: '',
    part(part) {
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
          return calls + line(finalObject(format, {}, part))
        }
      }
    },
    failure: (failure) => line({ error: format.describeFailure(failure) }),
    heartbeat: undefined,
  }
}

/** The response without streaming. */
export function writeWhole(format: RuntimeFormat, collected: CollectedResponse) {
  const { text, toolCalls, end } = collected
  return finalObject(format, { text, thinking: thinkingTextOf(collected), toolCalls }, end)
}

/** The response to `embed`, unchanged when it comes from a node. */
export function writeEmbeddings({ model, embeddings }: EmbedResponse, totalMs: number) {
  const { vectors, inputTokens, raw } = embeddings
  if (raw !== undefined) return raw
  return {
    model,
    embeddings: vectors.map((vector) => [...vector]),
    total_duration: nanoseconds(totalMs),
    ...(inputTokens !== null && { prompt_eval_count: inputTokens }),
  }
}

function finalObject(format: RuntimeFormat, message: MessageFields, end: EndPart) {
  const own = {
    ...commonFields(format),
    ...contentFields(format, message),
    done: true,
    done_reason: end.runtime?.['done_reason'] ?? (end.finish === 'tool_calls' ? 'stop' : end.finish),
  }
  // First for the order of the fields, last so that no field of a node replaces them.
  return { ...own, ...measuredFields(format, end), ...nodeFields(format, end), ...own }
}

function commonFields({ response: { model } }: RuntimeFormat) {
  return { model, created_at: new Date().toISOString() }
}

interface MessageFields {
  readonly text?: string
  readonly thinking?: string
  readonly toolCalls?: readonly ToolCall[]
}

function contentFields({ kind }: RuntimeFormat, { text = '', thinking = '', toolCalls = [] }: MessageFields) {
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
