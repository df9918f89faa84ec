import type { IncomingHttpHeaders } from 'node:http'

/** A request on the data path, read by Node's HTTP server (`http-exchange.ts`) or by our own parser (`wire/`). */
export interface DataRequest {
  readonly method: string
  /** The path and the query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Alternating names and values, as they arrived. */
  readonly rawHeaders: readonly string[]
  readonly remoteAddress: string | undefined
  /** Collects the whole body. No callback is called after the caller disconnected. */
  readBody(limitBytes: number, reader: BodyReader): void
}

export interface BodyReader {
  readonly done: (body: Buffer) => void
  readonly tooLarge: () => void
}

/** The response to a data request. Headers are alternating names and values. */
export interface DataResponse {
  /** The head was sent. */
  readonly isBegun: boolean
  /** The response was sent, or the caller disconnected. */
  readonly isClosed: boolean
  /** Sends a complete response. */
  send(status: number, headers: readonly string[], body: Buffer | string): void
  /** Begins a streamed response. */
  begin(status: number, headers: readonly string[]): void
  /**
   * The bytes are valid during the call. Returns false for backpressure, until `onDrain`. A caller that reads nothing meanwhile, for as long as a node may stall, counts as
   * disconnected.
   */
  write(bytes: Buffer): boolean
  end(last: Buffer | string | undefined, trailers: readonly string[]): void
  /** Closes the connection: the early end is the signal for an incomplete response. */
  destroy(): void
  /** Sets the callback for the end of backpressure. */
  onDrain(callback: () => void): void
  /** Sets the callback for the end of the response, whether it is complete or the caller disconnected. */
  onClose(callback: (isComplete: boolean) => void): void
}
