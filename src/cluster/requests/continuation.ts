import { isNative, type RuntimeName, runtimeTraits } from '../nodes/runtime.ts'
import type { StreamFraming } from './response-content.ts'

const lineFeed = 0x0a
const maxLineBytes = 64 * 1024
const maxTextLength = 1024 * 1024

type Fields = Readonly<Record<string, unknown>>

/** A request that continues an interrupted stream. */
export interface ContinuingRequest {
  readonly path: string
  readonly body: Buffer
}

/** Follows a stream, so that another node can continue it. */
export interface StreamContinuation {
  readonly framing: StreamFraming
  /** The data for the caller, valid as long as the chunk: whole lines or events. Undefined without any. */
  take(chunk: Buffer): Buffer | undefined
  /** The incomplete line or event at the end of the stream. */
  rest(): Buffer | undefined
  /** Whether a node with this runtime can continue the stream. */
  suits(runtime: RuntimeName | null): boolean
  /** The request for the next node; undefined when the stream cannot be continued. */
  next(): ContinuingRequest | undefined
}

/**
 * Follows a stream of `/api/chat` or `/api/generate`, so that another node can continue it: that node gets the text so far as the
 * beginning of its answer. Only whole lines are passed on; an incomplete one is lost with its node.
 *
 * | request                      | the next node gets                                                             |
 * |------------------------------|--------------------------------------------------------------------------------|
 * | chat                         | the same, with the text so far as the last message, of the assistant           |
 * | generate with `raw`          | the same, with the text so far behind the prompt                               |
 * | any other generate           | a chat of `system`, the prompt and the text so far; its lines are translated   |
 *
 * A stream cannot be continued if the request has tools, a format, thinking, or for generate a template, context or suffix; after a line with
 * tool calls or thinking; when `num_predict` is used up; and beyond 1 MiB of text or 64 KiB in a line.
 */
export class Continuation implements StreamContinuation {
  readonly framing = 'line'
  readonly #isChat: boolean
  readonly #request: Fields
  #isPossible: boolean
  #isContinued = false
  /** The lines come from a chat although the caller asked for generate. */
  #isTranslated = false
  #text = ''
  #tokens = 0
  /** Tokens of earlier nodes, which the last line does not count. */
  #tokensBefore = 0
  #incomplete: Buffer | undefined

  constructor(path: string, body: Buffer) {
    this.#isChat = path.startsWith('/api/chat')
    this.#request = JSON.parse(body.toString('utf8')) as Fields
    this.#isPossible = isContinuable(this.#request, this.#isChat)
  }

  /** An answer that has begun is continued by native nodes, and by runtimes with an option for it; a raw prompt by any. */
  suits(runtime: RuntimeName | null): boolean {
    if (this.#text === '' || (!this.#isChat && this.#request['raw'] === true)) return true
    return runtime !== null && (isNative(runtime) || runtimeTraits[runtime].continuesMessages)
  }

  take(chunk: Buffer): Buffer | undefined {
    const all = this.#incomplete === undefined ? chunk : Buffer.concat([this.#incomplete, chunk])
    const end = all.lastIndexOf(lineFeed) + 1
    this.#incomplete = end === all.length ? undefined : Buffer.from(all.subarray(end))
    if ((this.#incomplete?.length ?? 0) > maxLineBytes) this.#isPossible = false
    if (end === 0) return this.#isPossible || this.#isTranslated ? undefined : this.rest()
    const lines = all.toString('utf8', 0, end).split('\n').slice(0, -1)
    const read = lines.map((line) => `${this.#read(line)}\n`)
    // The lines of the first node pass unchanged.
    return this.#isContinued ? Buffer.from(read.join('')) : all.subarray(0, end)
  }

  rest(): Buffer | undefined {
    const rest = this.#incomplete
    this.#incomplete = undefined
    return rest
  }

  next(): ContinuingRequest | undefined {
    if (!this.#isPossible) return undefined
    const options = optionsAfter(this.#request['options'], this.#tokens)
    if (options === undefined) return undefined
    this.#incomplete = undefined
    this.#isContinued = true
    this.#tokensBefore = this.#tokens
    if (this.#text === '') return write(this.#isChat ? '/api/chat' : '/api/generate', this.#request)
    const { prompt = '', system, images, ...others } = this.#request
    const answered = { role: 'assistant', content: this.#text }
    if (this.#isChat) {
      const messages = withAnswer(this.#request['messages'] as readonly Fields[], answered)
      return write('/api/chat', { ...this.#request, options, messages })
    }
    if (this.#request['raw'] === true) {
      return write('/api/generate', { ...this.#request, options, prompt: `${String(prompt)}${this.#text}` })
    }
    this.#isTranslated = true
    const messages = [
      ...(typeof system === 'string' && system !== '' ? [{ role: 'system', content: system }] : []),
      { role: 'user', content: prompt, ...(images !== undefined && { images }) },
      answered,
    ]
    return write('/api/chat', { ...others, options, messages })
  }

  /** Follows one line and returns it as the caller gets it. */
  #read(line: string): string {
    const fields = parse(line)
    if (fields === undefined) {
      if (line.trim() !== '') this.#isPossible = false
      return line
    }
    const said = Object((this.#isChat || this.#isTranslated ? fields['message'] : fields) ?? {}) as Fields
    const text = said[this.#isChat || this.#isTranslated ? 'content' : 'response']
    if (typeof text === 'string' && text !== '') {
      this.#text += text
      this.#tokens += 1
    }
    const isOver = fields['done'] === true || fields['error'] !== undefined
    if (isOver || said['tool_calls'] !== undefined || hasText(said['thinking'])) this.#isPossible = false
    if (this.#text.length > maxTextLength) this.#isPossible = false
    if (!this.#isContinued) return line
    const { message: _message, ...others } = fields
    const translated = this.#isTranslated ? { ...others, response: text ?? '' } : fields
    return JSON.stringify(isOver ? this.#withAllTokens(translated) : translated)
  }

  /** The last node counts the text so far as prompt. */
  #withAllTokens(fields: Fields): Fields {
    const { prompt_eval_count: prompt, eval_count: answer } = fields
    return {
      ...fields,
      ...(typeof prompt === 'number' && { prompt_eval_count: Math.max(0, prompt - this.#tokensBefore) }),
      ...(typeof answer === 'number' && { eval_count: answer + this.#tokensBefore }),
    }
  }
}

/** Whether requests of this path can be continued. */
export function canContinue(path: string): boolean {
  return /^\/(?:api\/(?:chat|generate)|v1\/(?:chat\/)?completions)(?:\?|$)/.test(path)
}

function isContinuable(request: Fields, isChat: boolean): boolean {
  const { tools, format, think } = request
  if ((Array.isArray(tools) && tools.length > 0) || isGiven(format) || isGiven(think)) return false
  if (isChat) return Array.isArray(request['messages'])
  if (isGiven(request['suffix']) || isGiven(request['context'])) return false
  return request['raw'] === true || !isGiven(request['template'])
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** The options without the tokens so far; undefined when none are left. */
function optionsAfter(given: unknown, tokens: number): Fields | undefined {
  const options = Object(given ?? {}) as Fields
  const { num_predict: limit } = options
  if (typeof limit !== 'number' || limit <= 0) return options
  return limit > tokens ? { ...options, num_predict: limit - tokens } : undefined
}

/** The caller may have sent the beginning of the answer itself. */
function withAnswer(messages: readonly Fields[], answered: Fields): readonly Fields[] {
  const last = messages.at(-1)
  if (last?.['role'] !== 'assistant' || typeof last['content'] !== 'string') return [...messages, answered]
  return [...messages.slice(0, -1), { ...last, content: `${last['content']}${String(answered['content'])}` }]
}

function write(path: string, body: Fields): ContinuingRequest {
  return { path, body: Buffer.from(JSON.stringify(body)) }
}

function parse(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}
