import type { BodyReader, DataRequest, DataResponse } from '../data-exchange.ts'
import type { RequestHead } from './request-head.ts'
import { hasNoBody, writeResponseHead } from './write-response.ts'

const maxTextBytes = 8192

/** The connection of an exchange. */
export interface ExchangeConnection {
  readonly remoteAddress: string | undefined
  /** Whether the connection is kept after the response, and for how long. Undefined when it is closed. */
  readonly keepSeconds: number | undefined
  /** The current time, for the head of a response. */
  readonly date: string
  /** Writes a text in Latin 1, which keeps every byte. Returns false until it is written, and then calls `drained`. */
  write(text: string): boolean
  /** Writes bytes between two texts, in the same way. */
  writeBytes(before: string, bytes: Buffer, after: string): boolean
  /** The response is complete. */
  ended(isKept: boolean): void
  destroy(): void
}

/**
 * One request and its response on a connection of ours.
 *
 * | state     | on                            | next                                                        |
 * |-----------|-------------------------------|-------------------------------------------------------------|
 * | asked     | `send`                        | flushing                                                    |
 * | asked     | `begin`                       | streaming                                                   |
 * | streaming | `end`                         | flushing                                                    |
 * | flushing  | everything is written         | closed: complete; the connection serves its next request    |
 * | any       | the connection is closed      | closed: incomplete                                          |
 *
 * A closed exchange ignores all calls: it must not write into the response to the next request.
 */
export class CallerExchange implements DataRequest, DataResponse {
  readonly method = 'POST'
  isBegun = false
  isClosed = false
  /** The whole response was given to the connection. */
  isEnded = false
  readonly #head: RequestHead
  readonly #connection: ExchangeConnection
  #reader: BodyReader | undefined
  #body: Buffer[] = []
  #isKept = true
  #isChunked = false
  #drained: (() => void) | undefined
  #closed: ((isComplete: boolean) => void) | undefined

  constructor(head: RequestHead, connection: ExchangeConnection) {
    this.#head = head
    this.#connection = connection
  }

  get url(): string {
    return this.#head.url
  }
  get headers(): RequestHead['headers'] {
    return this.#head.headers
  }
  get rawHeaders(): readonly string[] {
    return this.#head.rawHeaders
  }
  get remoteAddress(): string | undefined {
    return this.#connection.remoteAddress
  }

  readBody(limitBytes: number, reader: BodyReader): void {
    if (this.#head.length > limitBytes) reader.tooLarge()
    else this.#reader = reader
  }

  send(status: number, headers: readonly string[], body: Buffer | string): void {
    if (!this.#begin()) return
    const head = this.#writeHead(status, headers)
    if (hasNoBody(status)) this.#connection.write(head)
    else this.#write(head, body, '')
    this.#end()
  }

  begin(status: number, headers: readonly string[]): void {
    if (this.#begin()) this.#connection.write(this.#writeHead(status, headers))
  }

  write(bytes: Buffer): boolean {
    if (this.isClosed || this.isEnded || bytes.length === 0) return true
    return this.#writeFramed(bytes)
  }

  end(last: Buffer | string | undefined, trailers: readonly string[]): void {
    if (this.isClosed || this.isEnded) return
    if (last !== undefined && last.length > 0) this.#writeFramed(last)
    let text = ''
    if (this.#isChunked) {
      text += '0\r\n'
      for (let index = 0; index < trailers.length; index += 2) {
        text += `${trailers[index]}: ${trailers[index + 1]}\r\n`
      }
      text += '\r\n'
    }
    if (text !== '') this.#connection.write(text)
    this.#end()
  }

  destroy(): void {
    if (!this.isClosed) this.#connection.destroy()
  }

  onDrain(callback: () => void): void {
    this.#drained = callback
  }

  onClose(callback: (isComplete: boolean) => void): void {
    this.#closed = callback
  }

  /** Gets a part of the body. */
  received(bytes: Buffer): void {
    if (this.#reader !== undefined) this.#body.push(bytes)
  }

  /** Gets the end of the body. */
  receivedAll(): void {
    const reader = this.#reader
    const [only, more] = this.#body
    const body = only !== undefined && more === undefined ? only : Buffer.concat(this.#body)
    this.#reader = undefined
    this.#body = []
    if (!this.isClosed) reader?.done(body)
  }

  drained(): void {
    if (!this.isClosed) this.#drained?.()
  }

  closed(isComplete: boolean): void {
    if (this.isClosed) return
    this.isClosed = true
    this.#reader = undefined
    this.#body = []
    this.#closed?.(isComplete)
  }

  #begin(): boolean {
    if (this.isBegun || this.isClosed) return false
    this.isBegun = true
    return true
  }

  #writeHead(status: number, headers: readonly string[]): string {
    const { text, isKept, isChunked } = writeResponseHead(status, headers, this.#connection)
    this.#isKept = isKept
    this.#isChunked = isChunked
    return text
  }

  #writeFramed(content: Buffer | string): boolean {
    const bytes = bytesOf(content)
    if (!this.#isChunked) return this.#write('', bytes, '')
    return this.#write(`${bytes.length.toString(16)}\r\n`, bytes, '\r\n')
  }

  /** One string is one cheap write; but large strings are garbage that the heap grows for. */
  #write(before: string, content: Buffer | string, after: string): boolean {
    const bytes = bytesOf(content)
    if (bytes.length > maxTextBytes) return this.#connection.writeBytes(before, bytes, after)
    return this.#connection.write(before + bytes.toString('latin1') + after)
  }

  #end(): void {
    this.isEnded = true
    this.#connection.ended(this.#isKept)
  }
}

/** The text of a failure may have characters beyond Latin 1. */
function bytesOf(content: Buffer | string): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : content
}
