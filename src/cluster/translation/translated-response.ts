import { createParser, type EventSourceMessage } from 'eventsource-parser'
import {
  createLineWriter,
  type NativeFormat,
  type ResponsePart,
  startStopwatch,
  writeFinal,
  writeVectors,
} from '#kernel/native-api'
import type { AttemptEvents } from '../requests/attempt.ts'
import { cutOff, type FailedAttempt, findErrorText, readErrorText } from '../requests/failed-attempt.ts'
import { framingOf } from '../requests/response-content.ts'
import type { ResponseHead } from '../requests/wire/response-head.ts'
import type { CompatibleRequest } from './compatible-request.ts'
import { CompatibleStream, readVectors, readWholeAnswer } from './read-compatible.ts'

/** Vectors of many inputs are large; more than this is no answer. */
const maxWholeBytes = 64 * 1024 * 1024
const maxEventLength = 4 * 1024 * 1024

const invalid = (reason: string): FailedAttempt => ({ kind: 'invalid', reason })

/**
 * Translates the response of a node with the OpenAI-compatible API to the native API, for the exchange that asked for it.
 *
 * | response of the node            | the exchange gets                                                       |
 * |---------------------------------|-------------------------------------------------------------------------|
 * | an event stream                 | lines; one with an error for an event with an error                     |
 * | a stream without its last event | `failed`: another node may continue                                     |
 * | JSON                            | the whole response, as the only line if a stream was asked for          |
 * | an error                        | `{error: "…"}` with its status; 400 for 422 and 501                     |
 * | anything else                   | `failed`                                                                |
 */
export class TranslatedResponse implements AttemptEvents {
  readonly #request: CompatibleRequest
  readonly #events: AttemptEvents
  readonly #format: NativeFormat
  readonly #writeLine: (part: ResponsePart) => string
  readonly #stream = new CompatibleStream()
  readonly #decoder = new TextDecoder()
  readonly #complete: EventSourceMessage[] = []
  readonly #parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent: (message) => void this.#complete.push(message),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.#tooLong = true
    },
  })
  #tooLong = false
  /** The parts of a response that is not a stream. */
  #whole: { readonly head: ResponseHead; readonly chunks: Buffer[]; bytes: number } | undefined
  #isOver = false
  /** Ends the request at the node; set by its owner before the first event. */
  cancel: () => void = () => {}

  constructor(request: CompatibleRequest, modelAsGiven: string, events: AttemptEvents) {
    this.#request = request
    this.#events = events
    this.#format = {
      kind: request.kind === 'text' ? request.call.kind : 'generate',
      model: modelAsGiven,
      stopwatch: startStopwatch(),
    }
    this.#writeLine = createLineWriter(this.#format)
  }

  whole(head: ResponseHead, body: Buffer): void {
    this.#isOver = true
    if (head.status >= 400) {
      const status = head.status === 422 || head.status === 501 ? 400 : head.status
      const text = readErrorText(body)
      const message =
        text === '' || text === 'Not Found' ? `${this.#request.path}: status ${head.status}` : text
      this.#events.whole(headOf(status, json), Buffer.from(JSON.stringify({ error: message })))
      return
    }
    const answer = this.#readWhole(body)
    if (answer === undefined) {
      this.#events.failed(invalid('did not return an answer'))
      return
    }
    this.#events.whole(this.#head(), Buffer.from(`${JSON.stringify(answer)}${this.#isStream ? '\n' : ''}`))
  }

  begin(head: ResponseHead): void {
    if (framingOf(head) === 'event' && head.status === 200 && this.#isStream) this.#events.begin(this.#head())
    else this.#whole = { head, chunks: [], bytes: 0 }
  }

  data(chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#whole === undefined) {
      this.#readEvents(chunk)
      return
    }
    this.#whole.chunks.push(Buffer.from(chunk))
    this.#whole.bytes += chunk.length
    if (this.#whole.bytes > maxWholeBytes) this.#giveUp(invalid('returned more than 256 MiB'))
  }

  end(): void {
    if (this.#isOver) return
    if (this.#whole !== undefined) {
      this.whole(this.#whole.head, Buffer.concat(this.#whole.chunks))
      return
    }
    this.#isOver = true
    const last = this.#stream.end()
    if (last === undefined) {
      this.#events.failed(cutOff)
      return
    }
    this.#events.data(Buffer.from(this.#writeLine(last)))
    this.#events.end()
  }

  failed(failure: FailedAttempt): void {
    this.#isOver = true
    this.#events.failed(failure)
  }

  get #isStream(): boolean {
    return this.#request.kind === 'text' && this.#request.stream
  }

  #head(): ResponseHead {
    const ignored =
      this.#request.kind === 'text' ? this.#request.ignored.filter((name) => /^[\w.]+$/.test(name)) : []
    const own = ignored.length === 0 ? [] : ['x-cluster-ignored', ignored.join(', ')]
    return headOf(200, this.#isStream ? lines : json, own)
  }

  #readEvents(chunk: Buffer): void {
    this.#parser.feed(this.#decoder.decode(chunk, { stream: true }))
    let text = ''
    for (const { data } of this.#complete.splice(0)) {
      if (data === '[DONE]') continue
      const event = parse(data) ?? {}
      const parts = this.#stream.read(event)
      if (parts === undefined) {
        if (text !== '') this.#events.data(Buffer.from(text))
        this.#endEarly(findErrorText(event))
        return
      }
      text += this.#writeParts(parts)
    }
    if (text !== '') this.#events.data(Buffer.from(text))
    if (this.#tooLong) this.#giveUp(invalid('sent an event that is too long'))
  }

  #writeParts(parts: readonly ResponsePart[]): string {
    if (parts.length > 0) this.#noteFirstPart()
    let written = ''
    for (const part of parts) {
      if (part.type !== 'thinking' || !this.#hidesThinking) written += this.#writeLine(part)
    }
    return written
  }

  /** An error ends a stream of the native API. */
  #endEarly(error: string | undefined): void {
    if (error === undefined) {
      this.#giveUp(invalid('sent an event that is no part of an answer'))
      return
    }
    this.#isOver = true
    this.cancel()
    this.#events.data(Buffer.from(`${JSON.stringify({ error })}\n`))
    this.#events.end()
  }

  #hasParts = false
  #noteFirstPart(): void {
    if (!this.#hasParts) this.#format.stopwatch.onFirstPart()
    this.#hasParts = true
  }

  get #hidesThinking(): boolean {
    return this.#request.kind === 'text' && this.#request.call.reasoningEffort === 'none'
  }

  /** The response of the native API; undefined when the node sent something else. */
  #readWhole(body: Buffer): unknown {
    const content = parse(body.toString('utf8'))
    if (this.#request.kind === 'text') {
      const answer = readWholeAnswer(content)
      if (answer === undefined) return undefined
      const { end, thinking, ...message } = answer
      return writeFinal(this.#format, { ...message, ...(!this.#hidesThinking && { thinking }) }, end)
    }
    const { input } = this.#request.body
    const vectors = readVectors(content, Array.isArray(input) ? input.length : 1)
    if (vectors === undefined) return undefined
    if (this.#request.kind === 'embeddings') return { embedding: vectors.vectors[0] }
    return writeVectors(this.#format.model, vectors, this.#format.stopwatch.totalMs())
  }

  #giveUp(failure: FailedAttempt): void {
    this.#isOver = true
    this.cancel()
    this.#events.failed(failure)
  }
}

export const json = 'application/json; charset=utf-8'
export const lines = 'application/x-ndjson'

/** The head of a response that the cluster writes. */
export function headOf(status: number, type: string, own: readonly string[] = []): ResponseHead {
  return { status, headers: ['content-type', type, ...own], type, length: undefined, isEncoded: false }
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
