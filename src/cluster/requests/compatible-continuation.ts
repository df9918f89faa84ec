import { isNative, type RuntimeName, runtimeTraits } from '../nodes/runtime.ts'
import type { ContinuingRequest, StreamContinuation } from './continuation.ts'

type Fields = Readonly<Record<string, unknown>>

const lineFeed = 0x0a
const maxEventBytes = 64 * 1024
const maxTextLength = 1024 * 1024

/**
 * Follows an event stream of `/v1/chat/completions` or `/v1/completions`, so that another node can continue it. Only whole events are passed
 * on; an incomplete one is lost with its node.
 *
 * | request     | the next node gets                                                                   | which node can            |
 * |-------------|--------------------------------------------------------------------------------------|---------------------------|
 * | chat        | the same, with the text so far as the last message, of the assistant, to be continued | vLLM, SGLang, native ones |
 * | completions | the same, with the text so far behind the prompt                                     | any                       |
 *
 * A stream cannot be continued if the request has tools, a response format, log probabilities, several choices, a suffix or an echo; after an
 * event with tool calls or reasoning; when the limit of tokens is used up; and beyond 1 MiB of text or 64 KiB in an event.
 */
export class CompatibleContinuation implements StreamContinuation {
  readonly framing = 'event'
  readonly #path: string
  readonly #isChat: boolean
  readonly #request: Fields
  #isPossible: boolean
  #isContinued = false
  #text = ''
  #tokens = 0
  /** Tokens of earlier nodes, which the usage at the end does not count. */
  #tokensBefore = 0
  /** The fields of the first event that name the response. */
  #identity: Fields | undefined
  #incomplete: Buffer | undefined

  constructor(path: string, body: Buffer) {
    this.#path = path
    this.#isChat = path.startsWith('/v1/chat/')
    this.#request = JSON.parse(body.toString('utf8')) as Fields
    this.#isPossible = isContinuable(this.#request, this.#isChat)
  }

  take(chunk: Buffer): Buffer | undefined {
    const all = this.#incomplete === undefined ? chunk : Buffer.concat([this.#incomplete, chunk])
    const end = endOfEvents(all)
    this.#incomplete = end === all.length ? undefined : Buffer.from(all.subarray(end))
    if ((this.#incomplete?.length ?? 0) > maxEventBytes) this.#isPossible = false
    if (end === 0) return this.#isPossible || this.#isContinued ? undefined : this.rest()
    const events = all
      .toString('utf8', 0, end)
      .split(/(?<=\n\r?\n)/)
      .map((event) => this.#read(event))
    // The events of the first node pass unchanged.
    if (!this.#isContinued) return all.subarray(0, end)
    const passed = events.join('')
    return passed === '' ? undefined : Buffer.from(passed)
  }

  rest(): Buffer | undefined {
    const rest = this.#incomplete
    this.#incomplete = undefined
    return rest
  }

  suits(runtime: RuntimeName | null): boolean {
    if (!this.#isChat || this.#text === '') return true
    return runtime !== null && (isNative(runtime) || runtimeTraits[runtime].continuesMessages)
  }

  next(): ContinuingRequest | undefined {
    if (!this.#isPossible) return undefined
    const limits = limitsAfter(this.#request, this.#tokens)
    if (limits === undefined) return undefined
    this.#incomplete = undefined
    this.#isContinued = true
    this.#tokensBefore = this.#tokens
    const request = { ...this.#request, ...limits }
    if (this.#text === '') return write(this.#path, request)
    if (!this.#isChat) {
      return write(this.#path, { ...request, prompt: `${String(this.#request['prompt'])}${this.#text}` })
    }
    const messages = this.#request['messages'] as readonly Fields[]
    return write(this.#path, {
      ...request,
      messages: [...messages, { role: 'assistant', content: this.#text }],
      add_generation_prompt: false,
      continue_final_message: true,
    })
  }

  /** Follows one event and returns it as the caller gets it. */
  #read(event: string): string {
    const data = /^data: ?(.*)$/m.exec(event)?.[1]
    if (data === undefined || data === '[DONE]') return event
    const fields = parse(data)
    if (fields === undefined || !Array.isArray(fields['choices'])) {
      this.#isPossible = false
      return event
    }
    const { id, created } = fields
    this.#identity ??= { id, created }
    const [choice]: unknown[] = fields['choices']
    const isEmpty = choice !== undefined && this.#follow(Object(choice) as Fields)
    if (!this.#isContinued) return event
    // The next node announces the role of its message again.
    if (isEmpty) return ''
    const { usage } = fields
    const counted = typeof usage === 'object' && usage !== null ? { usage: this.#withAllTokens(usage) } : {}
    return `data: ${JSON.stringify({ ...fields, ...this.#identity, ...counted })}\n\n`
  }

  /** Returns whether the choice has nothing for the caller. */
  #follow({ delta, text, finish_reason: reason }: Fields): boolean {
    const { content = text, tool_calls: calls, reasoning, reasoning_content: older } = Object(delta) as Fields
    if (typeof content === 'string' && content !== '') {
      this.#text += content
      this.#tokens += 1
    }
    const isOver = typeof reason === 'string'
    if (isOver || isGiven(calls) || isGiven(reasoning) || isGiven(older)) this.#isPossible = false
    if (this.#text.length > maxTextLength) this.#isPossible = false
    return !isOver && !isGiven(content) && !isGiven(calls) && !isGiven(reasoning) && !isGiven(older)
  }

  /** The last node counts the text so far as prompt. */
  #withAllTokens(usage: object): Fields {
    const { prompt_tokens: prompt, completion_tokens: answer } = usage as Fields
    return {
      ...usage,
      ...(typeof prompt === 'number' && { prompt_tokens: Math.max(0, prompt - this.#tokensBefore) }),
      ...(typeof answer === 'number' && { completion_tokens: answer + this.#tokensBefore }),
    }
  }
}

const unfit = ['tools', 'functions', 'response_format', 'logprobs', 'suffix', 'echo', 'guided_json']

function isContinuable(request: Fields, isChat: boolean): boolean {
  if (unfit.some((name) => isGiven(request[name]))) return false
  if ((request['n'] ?? 1) !== 1 || (request['best_of'] ?? 1) !== 1) return false
  if (!isChat) return typeof request['prompt'] === 'string'
  const { messages } = request
  // An answer that the caller has begun is continued already.
  return Array.isArray(messages) && (Object(messages.at(-1)) as Fields)['role'] !== 'assistant'
}

function isGiven(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== '' && value !== false
}

/** The limits without the tokens so far; undefined when none are left. */
function limitsAfter(request: Fields, tokens: number): Fields | undefined {
  const limits: Record<string, number> = {}
  for (const name of ['max_tokens', 'max_completion_tokens']) {
    const limit = request[name]
    if (typeof limit !== 'number') continue
    if (limit <= tokens) return undefined
    limits[name] = limit - tokens
  }
  return limits
}

/** The position behind the last whole event. */
function endOfEvents(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf(lineFeed); at > 0; at = bytes.lastIndexOf(lineFeed, at - 1)) {
    const before = bytes[at - 1] === 0x0d ? at - 2 : at - 1
    if (bytes[before] === lineFeed) return at + 1
  }
  return 0
}

function write(path: string, body: Fields): ContinuingRequest {
  return { path, body: Buffer.from(JSON.stringify(body)) }
}

function parse(text: string): Fields | undefined {
  try {
    return Object(JSON.parse(text)) as Fields
  } catch {
    return undefined
  }
}
