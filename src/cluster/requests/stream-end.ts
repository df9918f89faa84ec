import { framingOf } from './response-content.ts'
import type { ResponseHead } from './wire/response-head.ts'

/** Runtimes write JSON with or without a space behind the colon. */
const nativeEnd = /"done": ?true|\n\{"error":/
const completionEnd = /"finish_reason": ?"|\ndata: ?(?:\[DONE\]|\{"error":)/
const endsOfPaths: ReadonlyMap<string, RegExp> = new Map([
  ['/api/chat', nativeEnd],
  ['/api/generate', nativeEnd],
  ['/v1/chat/completions', completionEnd],
  ['/v1/completions', completionEnd],
  ['/v1/messages', /"type": ?"(?:message_stop|error)"|\nevent: ?error/],
  ['/v1/responses', /"type": ?"(?:response\.(?:completed|incomplete|failed)|error)"|\nevent: ?error/],
])
const lineFeed = '\n'
const maxEndLength = '"type": "response.incomplete"'.length

/**
 * Tells whether a stream is complete, from its bytes: a node that closes its connection properly may not have finished its answer. The
 * process of the model has crashed behind the runtime, or a proxy in front of the node lost its own connection.
 *
 * | path                                      | a stream is complete with                                        |
 * |-------------------------------------------|------------------------------------------------------------------|
 * | `/api/chat`, `/api/generate`              | a line that is done, or one with an error                        |
 * | `/v1/chat/completions`, `/v1/completions` | a reason to finish, `[DONE]`, or an error                        |
 * | `/v1/messages`                            | `message_stop`, or an error                                      |
 * | `/v1/responses`                           | `response.completed`, `.incomplete` or `.failed`, or an error    |
 * | any other                                 | the end of the connection                                        |
 *
 * The bytes are searched, not parsed. Text of a model cannot be taken for an end, because its quotation marks and line feeds are escaped.
 */
export class StreamEnd {
  readonly #end: RegExp
  /** The last characters so far, in which an end may have begun. */
  #last = lineFeed
  #isReached = false

  private constructor(end: RegExp) {
    this.#end = end
  }

  /** Undefined for a response whose end is that of the connection. */
  static of(path: string, head: ResponseHead): StreamEnd | undefined {
    if (head.status !== 200 || framingOf(head) === undefined) return undefined
    const end = endsOfPaths.get(path.split('?', 1)[0] ?? path)
    return end && new StreamEnd(end)
  }

  get isReached(): boolean {
    return this.#isReached
  }

  add(bytes: Buffer): void {
    if (this.#isReached) return
    // One character for each byte: all ends are ASCII.
    const text = this.#last + bytes.toString('latin1')
    this.#isReached = this.#end.test(text)
    this.#last = text.endsWith(lineFeed) ? lineFeed : text.slice(-maxEndLength)
  }
}
