import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { JsonText } from '#kernel/json-text'

/** The large JSON texts of one response. Marks stand for them while the rest is serialised; then the texts are sent in their place. */
export interface ResponseTexts {
  /** A mark for a text, and any other value itself. */
  mark(value: unknown): unknown
  /** Sends a body with marks. */
  send(reply: FastifyReply, body: unknown): FastifyReply
}

/** Shorter responses are sent whole, so that `Idempotency-Key` can store them. */
const maxWholeBytes = 1024 * 1024

const charactersPerChunk = 64 * 1024

export function createResponseTexts(): ResponseTexts {
  // Random, so that no other value of the response is a mark.
  const nonce = randomUUID()
  const marked: JsonText[] = []
  return {
    mark(value) {
      if (!(value instanceof JsonText)) return value
      const index = marked.push(value) - 1
      return { toJSON: () => `${nonce}/${index}` }
    },

    send(reply, body) {
      if (marked.length === 0) return reply.send(body)
      const around = (reply.serialize(body) as string).split(new RegExp(`"${nonce}/(\\d+)"`))
      // Every second one is the index of a text.
      const pieces = around.map((piece, nth) => (nth % 2 === 0 ? wholeText(piece) : textAt(marked, piece)))
      const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0)
      reply.type('application/json; charset=utf-8')
      if (bytes <= maxWholeBytes) return reply.send(pieces.map(({ text }) => text).join(''))
      return reply
        .header('content-length', bytes)
        .send(Readable.from(chunksOf(pieces), { objectMode: false }))
    },
  }
}

/** A part of the response in UTF-8. */
type Piece = Pick<JsonText, 'text' | 'bytes'>

function wholeText(text: string): Piece {
  return { text, bytes: Buffer.byteLength(text) }
}

function textAt(marked: readonly JsonText[], index: string): Piece {
  const text = marked[Number(index)]
  if (text === undefined) throw new Error(`the response has no text ${index}`)
  return text
}

/** Leaves the event loop to others after each chunk. */
async function* chunksOf(pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const { text } of pieces) {
    for (let start = 0; start < text.length; ) {
      const end = endOfChunk(text, start + charactersPerChunk)
      yield Buffer.from(text.slice(start, end))
      start = end
      await setImmediate()
    }
  }
}

/** Never between the halves of a surrogate pair. */
function endOfChunk(text: string, end: number): number {
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end
}
