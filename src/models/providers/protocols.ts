import type { FinishReason, TokenUsage } from './provider.ts'

/** The protocol of a request. A provider with the same protocol gets the request as the caller wrote it. */
export type Protocol =
  | 'openai.chat'
  | 'openai.completions'
  | 'openai.responses'
  | 'anthropic.messages'
  | 'ollama.chat'
  | 'ollama.generate'

/** The protocol of a request for embeddings. */
export type EmbedProtocol = 'openai.embeddings' | 'ollama.embed'

/** What the gateway reads of a piece of a response that it passes on unchanged. */
export interface Reading {
  /** Bytes of generated text. */
  readonly outputBytes: number
  readonly usage?: TokenUsage | undefined
  readonly finish?: FinishReason | undefined
  /** The response is complete. */
  readonly isEnd?: boolean | undefined
  /** The error that the provider sent in place of a piece, as it wrote it. */
  readonly error?: unknown
  /** The piece has the usage and nothing else. */
  readonly isUsageOnly?: boolean | undefined
}

/** Reads responses of one protocol. Returns undefined for a piece that the protocol does not allow. */
export interface ProtocolReader {
  /** Reads the data of one server-sent event, or one line of JSON. Parses it only where it must: most are a piece of text. */
  readEvent(data: string): Reading | undefined
  /** Reads a whole response: `text` is the body as it was sent. */
  readWhole(body: Fields, text: string): Reading | undefined
  /** Replaces `readWhole` for responses that are too large to parse. */
  readBytes?(bytes: Buffer): Reading | undefined
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const looksLikeObject = (data: string) => data.startsWith('{') && data.endsWith('}')

/** The length of the texts in these fields, without parsing the JSON. */
function bytesOfTexts(data: string, texts: RegExp): number {
  let bytes = 0
  for (const [, text = ''] of data.matchAll(texts)) bytes += text.length
  return bytes
}

const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

const openAiFinishes: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
}

const openAiTexts = /"(?:content|text|arguments|reasoning|reasoning_content|refusal)": ?"((?:[^"\\]|\\.)*)"/g
const finishReason = /"finish_reason": ?"([a-z_]{1,40})"/

function openAiUsage(value: unknown): TokenUsage | undefined {
  if (!isRecord(value)) return undefined
  const { prompt_tokens_details: details } = value
  return {
    inputTokens: countOf(value['prompt_tokens']),
    cachedInputTokens: isRecord(details) ? countOf(details['cached_tokens']) : null,
    // Embedding-like responses have no completion.
    outputTokens: countOf(value['completion_tokens']),
  }
}

/** Chat completions and completions: their events differ only in fields that are passed on. */
const openAi: ProtocolReader = {
  readEvent(data) {
    if (data === '[DONE]') return { outputBytes: 0, isEnd: true }
    if (!looksLikeObject(data)) return undefined
    const outputBytes = bytesOfTexts(data, openAiTexts)
    const [, reason] = finishReason.exec(data) ?? []
    const finish = reason === undefined ? undefined : (openAiFinishes[reason] ?? 'other')
    if (!data.includes('"usage"') && !data.includes('"error"')) return { outputBytes, finish }
    const event = parseObject(data)
    if (event === undefined) return undefined
    const { error, choices } = event
    if (error !== undefined && error !== null) return { outputBytes: 0, error: event }
    const usage = openAiUsage(event['usage'])
    const isUsageOnly = usage !== undefined && Array.isArray(choices) && choices.length === 0
    return { outputBytes, finish, usage, isUsageOnly }
  },
  readWhole(body, text) {
    const { choices } = body
    if (!Array.isArray(choices) || choices.length === 0) return undefined
    const [first]: unknown[] = choices
    const reason = isRecord(first) ? first['finish_reason'] : undefined
    return {
      outputBytes: bytesOfTexts(text, openAiTexts),
      finish: typeof reason === 'string' ? (openAiFinishes[reason] ?? 'other') : 'stop',
      usage: openAiUsage(body['usage']),
    }
  },
}

/** How far the usage may be from the start or the end of a response. */
const maxUsageDistance = 4096
/** The usage is a small object among large vectors. */
const usageObject = /"usage"\s*:\s*(\{[^{}]{0,1000}\})/

/** Embeddings, of which only the usage is parsed. */
export const embeddingsReader: ProtocolReader = {
  readEvent: () => undefined,
  readWhole: () => undefined,
  readBytes(bytes) {
    const start = bytes.toString('latin1', 0, maxUsageDistance)
    const end = bytes.toString('latin1', Math.max(0, bytes.length - maxUsageDistance))
    if (!start.trimStart().startsWith('{') || !bytes.includes('"data"')) return undefined
    // Servers write the usage after the vectors, or before them.
    const [, usage] = usageObject.exec(end) ?? usageObject.exec(start) ?? []
    return {
      outputBytes: 0,
      usage: usage === undefined ? undefined : openAiUsage(parseObject(usage)),
    }
  },
}

const anthropicFinishes: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

const anthropicTexts = /"(?:text|thinking|partial_json)": ?"((?:[^"\\]|\\.)*)"/g
const eventType = /^\{\s*"type": ?"([a-z_]{1,40})"/

/** The input that was neither read from the cache nor written to it is counted separately. */
function anthropicUsage(value: unknown): TokenUsage | undefined {
  if (!isRecord(value)) return undefined
  const input = countOf(value['input_tokens'])
  const cached = countOf(value['cache_read_input_tokens'])
  const written = countOf(value['cache_creation_input_tokens'])
  return {
    inputTokens: input === null ? null : input + (cached ?? 0) + (written ?? 0),
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    outputTokens: countOf(value['output_tokens']),
  }
}

const anthropic: ProtocolReader = {
  readEvent(data) {
    if (!looksLikeObject(data)) return undefined
    // The type is the first field; a server that writes another one first has its events parsed.
    const [, type] = eventType.exec(data) ?? []
    if (type === 'content_block_delta') return { outputBytes: bytesOfTexts(data, anthropicTexts) }
    const event = parseObject(data)
    if (event === undefined) return undefined
    switch (event['type']) {
      case 'error':
        return { outputBytes: 0, error: event }
      case 'message_stop':
        return { outputBytes: 0, isEnd: true }
      case 'message_start': {
        const { message } = event
        const usage = anthropicUsage(isRecord(message) ? message['usage'] : undefined)
        // Its output tokens are those of the first piece only.
        return { outputBytes: 0, usage: usage && { ...usage, outputTokens: null } }
      }
      case 'message_delta': {
        const { delta } = event
        const reason = isRecord(delta) ? delta['stop_reason'] : undefined
        return {
          outputBytes: 0,
          usage: anthropicUsage(event['usage']),
          finish: typeof reason === 'string' ? (anthropicFinishes[reason] ?? 'other') : undefined,
        }
      }
      default:
        return typeof event['type'] === 'string'
          ? { outputBytes: bytesOfTexts(data, anthropicTexts) }
          : undefined
    }
  },
  readWhole(body, text) {
    if (body['type'] !== 'message' || !Array.isArray(body['content'])) return undefined
    const { stop_reason: reason } = body
    return {
      outputBytes: bytesOfTexts(text, anthropicTexts),
      finish: typeof reason === 'string' ? (anthropicFinishes[reason] ?? 'other') : 'stop',
      usage: anthropicUsage(body['usage']),
    }
  },
}

const responseTexts = /"(?:delta|text|arguments|refusal)": ?"((?:[^"\\]|\\.)*)"/g
const responseEventType = /^\{\s*"type": ?"([a-z_.]{1,80})"/
const lastResponseEvents: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'error',
])

function responseUsage(value: unknown): TokenUsage | undefined {
  if (!isRecord(value)) return undefined
  const { input_tokens_details: details } = value
  return {
    inputTokens: countOf(value['input_tokens']),
    cachedInputTokens: isRecord(details) ? countOf(details['cached_tokens']) : null,
    cacheWriteTokens: isRecord(details) ? countOf(details['cache_write_tokens']) : null,
    outputTokens: countOf(value['output_tokens']),
  }
}

function responseFinish({ status, incomplete_details: details }: Fields): FinishReason {
  if (status !== 'incomplete') return 'stop'
  const reason = isRecord(details) ? details['reason'] : undefined
  if (reason === 'max_output_tokens') return 'length'
  return reason === 'content_filter' ? 'content_filter' : 'other'
}

const responses: ProtocolReader = {
  readEvent(data) {
    if (!looksLikeObject(data)) return undefined
    // The type is the first field; a server that writes another one first has its events parsed.
    const [, known] = responseEventType.exec(data) ?? []
    if (known !== undefined && !lastResponseEvents.has(known)) {
      return { outputBytes: known.endsWith('.delta') ? bytesOfTexts(data, responseTexts) : 0 }
    }
    const event = parseObject(data)
    if (event === undefined) return undefined
    const { type, response } = event
    if (type === 'error') return { outputBytes: 0, error: event }
    if (!lastResponseEvents.has(type)) {
      const isDelta = typeof type === 'string' && type.endsWith('.delta')
      return typeof type === 'string'
        ? { outputBytes: isDelta ? bytesOfTexts(data, responseTexts) : 0 }
        : undefined
    }
    if (!isRecord(response)) return undefined
    if (type === 'response.failed') return { outputBytes: 0, error: { error: response['error'] } }
    const usage = responseUsage(response['usage'])
    return { outputBytes: 0, usage, finish: responseFinish(response), isEnd: true }
  },
  readWhole(body) {
    const { object, output, status } = body
    const isEnded = status === 'completed' || status === 'incomplete'
    if (object !== 'response' || !Array.isArray(output) || !isEnded) return undefined
    return {
      outputBytes: bytesOfTexts(JSON.stringify(output), responseTexts),
      finish: responseFinish(body),
      usage: responseUsage(body['usage']),
    }
  },
}

const runtimeTexts = /"(?:content|response|thinking)": ?"((?:[^"\\]|\\.)*)"/g
/** Inside a text the quotation marks are escaped, so this is a field, though perhaps one of a tool call. */
const doneField = /"done"\s*:\s*true/
const runtimeFinishes: Readonly<Record<string, FinishReason>> = { stop: 'stop', length: 'length' }

/** A line, or a whole response, that has more than text. */
function readRuntimeObject(line: Fields): Reading | undefined {
  if (line['error'] !== undefined) return { outputBytes: 0, error: line }
  const { message, response, done, done_reason: reason } = line
  if (typeof done !== 'boolean' || (!isRecord(message) && typeof response !== 'string')) return undefined
  const { content, thinking, tool_calls: toolCalls } = isRecord(message) ? message : line
  const hasToolCalls = Array.isArray(toolCalls) && toolCalls.length > 0
  const texts = [content, thinking, response, hasToolCalls ? JSON.stringify(toolCalls) : '']
  const outputBytes = texts.reduce<number>(
    (sum, text) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  )
  // Older versions of the runtime send no reason; it was always a stop.
  const finish = typeof reason === 'string' ? (runtimeFinishes[reason] ?? 'other') : 'stop'
  if (!done) return { outputBytes }
  return {
    outputBytes,
    isEnd: true,
    finish: hasToolCalls && finish === 'stop' ? 'tool_calls' : finish,
    usage: {
      inputTokens: countOf(line['prompt_eval_count']),
      cachedInputTokens: null,
      outputTokens: countOf(line['eval_count']),
    },
  }
}

/** The model runtime: lines of JSON. */
const runtime: ProtocolReader = {
  readEvent(data) {
    if (!looksLikeObject(data)) return undefined
    if (data.includes('"error"') || data.includes('"tool_calls"') || doneField.test(data)) {
      const line = parseObject(data)
      return line && readRuntimeObject(line)
    }
    return data.includes('"done"') ? { outputBytes: bytesOfTexts(data, runtimeTexts) } : undefined
  },
  readWhole(body) {
    const reading = readRuntimeObject(body)
    return reading?.error !== undefined || reading?.isEnd === true ? reading : undefined
  },
}

/** The reader of each protocol. */
export const protocolReaders: Readonly<Record<Protocol, ProtocolReader>> = {
  'openai.chat': openAi,
  'openai.completions': openAi,
  'openai.responses': responses,
  'anthropic.messages': anthropic,
  'ollama.chat': runtime,
  'ollama.generate': runtime,
}
