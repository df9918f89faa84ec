import type { Failure } from '#kernel/errors'
import type { ErrorView } from '#kernel/http'
import type { ResponseMetadata } from '../../gateway/contract.ts'
import type { FinishReason, TokenUsage, TranslatedPart } from '../../providers/provider.ts'
import type { CollectedResponse } from '../responses/collect-response.ts'
import type { StreamWriter } from '../responses/send-stream.ts'

/** The response of the messages API without streaming. */
export function writeMessage(metadata: ResponseMetadata, response: CollectedResponse) {
  const { text, thinking, toolCalls, end } = response
  return {
    ...headOf(metadata),
    content: [
      ...thinking.map(({ text: thought, signature = '' }) => ({
        type: 'thinking',
        thinking: thought,
        signature,
      })),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...toolCalls.map(({ id, name, arguments: input }) => ({
        type: 'tool_use',
        id,
        name,
        input: parseInput(input),
      })),
    ],
    stop_reason: reasonOf(end.finish),
    stop_sequence: null,
    usage: usageOf(end.usage),
  }
}

/**
 * Writes the events of a message. A message is a list of blocks; each is opened, filled and closed before the next.
 *
 * | open block | part                | events                                       |
 * |------------|---------------------|----------------------------------------------|
 * | its own    | text, thinking      | delta                                        |
 * | another    | text, thinking      | stop of the other, start, delta              |
 * | any        | tool call           | stop, start                                  |
 * | tool call  | arguments           | delta                                        |
 * | thinking   | end of thinking     | delta with the signature, stop               |
 * | any        | end                 | stop, `message_delta`, `message_stop`        |
 */
export function createMessageWriter(metadata: ResponseMetadata): StreamWriter {
  let index = -1
  let open: 'text' | 'thinking' | 'tool_use' | undefined

  function stop(): string {
    if (open === undefined) return ''
    open = undefined
    return event('content_block_stop', { index })
  }

  function start(type: 'text' | 'thinking' | 'tool_use', fields: object): string {
    const stopped = stop()
    index += 1
    open = type
    return stopped + event('content_block_start', { index, content_block: { type, ...fields } })
  }

  const delta = (fields: object) => event('content_block_delta', { index, delta: fields })

  function write(part: TranslatedPart): string {
    switch (part.type) {
      case 'text': {
        const started = open === 'text' ? '' : start('text', { text: '' })
        return started + delta({ type: 'text_delta', text: part.text })
      }
      case 'thinking': {
        const started = open === 'thinking' ? '' : start('thinking', { thinking: '', signature: '' })
        return started + delta({ type: 'thinking_delta', thinking: part.text })
      }
      case 'thinking_end':
        return open === 'thinking'
          ? delta({ type: 'signature_delta', signature: part.signature }) + stop()
          : ''
      case 'tool_call':
        return start('tool_use', { id: part.id, name: part.name, input: {} })
      case 'tool_arguments':
        return open === 'tool_use' ? delta({ type: 'input_json_delta', partial_json: part.text }) : ''
      default:
        return (
          stop() +
          event('message_delta', {
            delta: { stop_reason: reasonOf(part.finish), stop_sequence: null },
            usage: usageOf(part.usage),
          }) +
          event('message_stop', {})
        )
    }
  }

  const message = {
    ...headOf(metadata),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    // The provider reports its usage at the end.
    usage: { input_tokens: 0, output_tokens: 0 },
  }
  return {
    contentType: 'text/event-stream; charset=utf-8',
    opening: event('message_start', { message }),
    part: write,
    failure: (failure) => event('error', describeMessagesFailure(failure)),
    heartbeat: event('ping', {}),
  }
}

/** An error of the messages API. */
export function describeMessagesFailure({
  status,
  message,
}: Pick<Failure | ErrorView, 'status' | 'message'>) {
  return { type: 'error', error: { type: errorTypeOf(status), message } }
}

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

function errorTypeOf(status: number): string {
  return errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

function headOf({ callId, model }: ResponseMetadata) {
  return { id: `msg_${callId}`, type: 'message' as const, role: 'assistant' as const, model }
}

const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  other: 'end_turn',
}

function reasonOf(finish: FinishReason): string {
  return reasons[finish]
}

/** Here `input_tokens` excludes what was read from or written to the cache of the provider. */
function usageOf({ inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens }: TokenUsage) {
  const [read, written] = [cachedInputTokens ?? 0, cacheWriteTokens ?? 0]
  return {
    input_tokens: Math.max(0, (inputTokens ?? 0) - read - written),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: outputTokens ?? 0,
  }
}

/** The format has the input as an object; a text that is none is passed on as `{ "input": text }`. */
function parseInput(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The client gets the text as the model wrote it.
  }
  return { input: text }
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}
