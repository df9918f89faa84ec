import { randomUUID } from 'node:crypto'
import type { FinishReason, ResponsePart, TokenUsage, ToolCall } from '#kernel/native-api'

type Fields = Readonly<Record<string, unknown>>
type EndPart = Extract<ResponsePart, { type: 'end' }>

const finishes: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  // Earlier versions of TGI.
  eos_token: 'stop',
  stop_sequence: 'stop',
}

/** Reads the events of an OpenAI-compatible stream, chat or plain completions, as parts. */
export class CompatibleStream {
  readonly #calls = new Set<number>()
  #finish: FinishReason | undefined
  #usage: TokenUsage = { inputTokens: null, cachedInputTokens: null, outputTokens: null }
  #timings: Fields = {}

  /** The parts of one event. Undefined when it is no part of such a stream. */
  read(event: Fields): readonly ResponsePart[] | undefined {
    const { choices, usage, timings } = event
    if (!Array.isArray(choices)) return undefined
    if (isFields(usage)) this.#usage = usageOf(usage)
    if (isFields(timings)) this.#timings = durationsOf(timings)
    const [choice]: unknown[] = choices
    if (!isFields(choice)) return []
    const { delta, text, finish_reason: reason } = choice
    if (typeof reason === 'string') this.#finish = finishes[reason] ?? 'other'
    if (!isFields(delta)) return typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []
    const { content, tool_calls: calls } = delta
    const thinking = thinkingOf(delta)
    return [
      ...(thinking === '' ? [] : [{ type: 'thinking', text: thinking } as const]),
      ...(typeof content === 'string' && content !== '' ? [{ type: 'text', text: content } as const] : []),
      // Earlier versions of TGI send a single call in place of a list.
      ...[calls ?? []].flat().flatMap((call, position) => this.#readCall(call, position)),
    ]
  }

  /** The last part; undefined while the server has not finished its answer. */
  end(): EndPart | undefined {
    if (this.#finish === undefined) return undefined
    return { type: 'end', finish: this.#finish, usage: this.#usage, runtime: this.#timings }
  }

  #readCall(call: unknown, position: number): readonly ResponsePart[] {
    if (!isFields(call)) return []
    const index = typeof call['index'] === 'number' ? call['index'] : position
    const { name, arguments: given } = Object(call['function']) as Fields
    const text = argumentsOf(given)
    const parts: ResponsePart[] = []
    if (!this.#calls.has(index) && typeof name === 'string') {
      this.#calls.add(index)
      parts.push({ type: 'tool_call', index, id: idOf(call['id']), name })
    }
    if (text !== '') parts.push({ type: 'tool_arguments', index, text })
    return parts
  }
}

/** A response without streaming. */
interface WholeAnswer {
  readonly text: string
  readonly thinking: string
  readonly toolCalls: readonly ToolCall[]
  readonly end: EndPart
}

/** Reads a response without streaming; undefined when it is something else. */
export function readWholeAnswer(body: unknown): WholeAnswer | undefined {
  const { choices, usage, timings } = Object(body) as Fields
  const [choice]: unknown[] = Array.isArray(choices) ? choices : []
  if (!isFields(choice)) return undefined
  const { message, text, finish_reason: reason } = choice
  const { content, tool_calls: calls = [] } = Object(message) as Fields
  if (!isFields(message) && typeof text !== 'string') return undefined
  const answer = content ?? text
  return {
    text: typeof answer === 'string' ? answer : '',
    thinking: isFields(message) ? thinkingOf(message) : '',
    toolCalls: [calls ?? []].flat().flatMap((call): ToolCall[] => {
      const { name, arguments: given } = Object(Object(call)['function']) as Fields
      if (typeof name !== 'string') return []
      return [{ id: idOf(Object(call)['id']), name, arguments: argumentsOf(given) }]
    }),
    end: {
      type: 'end',
      finish: typeof reason === 'string' ? (finishes[reason] ?? 'other') : 'stop',
      usage: usageOf(Object(usage) as Fields),
      runtime: durationsOf(Object(timings) as Fields),
    },
  }
}

/** Reads the vectors of a response, in the order of the inputs; undefined when they are not as many. */
export function readVectors(
  body: unknown,
  count: number,
): { readonly vectors: readonly (readonly number[])[]; readonly inputTokens: number | null } | undefined {
  const { data, usage } = Object(body) as Fields
  if (!Array.isArray(data) || data.length !== count) return undefined
  const vectors: (readonly number[])[] = []
  for (const [position, item] of (data as unknown[]).entries()) {
    const { embedding, index = position } = Object(item) as Fields
    if (!Array.isArray(embedding) || typeof index !== 'number' || !(index in data)) return undefined
    if (!embedding.every((value) => typeof value === 'number')) return undefined
    vectors[index] = embedding
  }
  if (Object.keys(vectors).length !== count) return undefined
  return { vectors, inputTokens: usageOf(Object(usage) as Fields).inputTokens }
}

function thinkingOf({ reasoning_content: older, reasoning }: Fields): string {
  const text = reasoning ?? older
  return typeof text === 'string' ? text : ''
}

function argumentsOf(given: unknown): string {
  if (typeof given === 'string') return given
  return isFields(given) ? JSON.stringify(given) : ''
}

function idOf(id: unknown): string {
  return typeof id === 'string' && id !== '' ? id : `call_${randomUUID()}`
}

function usageOf({ prompt_tokens: input, completion_tokens: output }: Fields): TokenUsage {
  return { inputTokens: countOf(input), cachedInputTokens: null, outputTokens: countOf(output) }
}

/** llama.cpp measures durations itself. */
function durationsOf({ prompt_ms: promptMs, predicted_ms: predictedMs }: Fields): Fields {
  return {
    ...(typeof promptMs === 'number' && { prompt_eval_duration: Math.round(promptMs * 1e6) }),
    ...(typeof predictedMs === 'number' && { eval_duration: Math.round(predictedMs * 1e6) }),
  }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
