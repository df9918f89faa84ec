import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A long string of a body, with its JSON as the caller sent it, quotes included. */
export interface LongText {
  readonly text: string
  readonly json: Buffer
}

/**
 * The long strings of parsed bodies, so that a body is passed on without writing them as JSON again: that takes 30 ms for 8 MiB, in
 * which the process does nothing else. By the body; its copies can share them.
 */
const textsOf = new WeakMap<object, LongTexts>()

export function rememberLongTexts(body: object, texts: readonly LongText[]): void {
  textsOf.set(body, createLongTexts(texts))
}

/** For a body with fields of another one. */
export function shareLongTexts(from: object, to: object): void {
  const texts = textsOf.get(from)
  if (texts !== undefined) textsOf.set(to, texts)
}

/** Frees the bytes of a body and of those that share its texts, which may be in memory for longer than its request. */
export function forgetLongTexts(body: unknown): void {
  if (typeof body === 'object' && body !== null) textsOf.get(body)?.clear()
}

interface LongTexts {
  find(text: string): LongText | undefined
  clear(): void
}

/** Texts of the same length are compared, and they may have a long start in common. */
const maxCompared = 4

function createLongTexts(texts: readonly LongText[]): LongTexts {
  const byLength = new Map<number, { readonly same: LongText[]; next: number }>()
  for (const text of texts) {
    const entry = byLength.get(text.text.length)
    if (entry === undefined) byLength.set(text.text.length, { same: [text], next: 0 })
    else entry.same.push(text)
  }
  return {
    find(text) {
      const entry = byLength.get(text.length)
      if (entry === undefined) return undefined
      const { same, next } = entry
      // Bodies are written in the order in which they were read, so the first comparison is usually that of a text with itself.
      for (let nth = 0; nth < Math.min(same.length, maxCompared); nth += 1) {
        const index = (next + nth) % same.length
        const candidate = same[index]
        if (candidate?.text !== text) continue
        entry.next = index + 1
        return candidate
      }
      return undefined
    },
    clear: () => byLength.clear(),
  }
}

/** JSON in pieces, for the body of a request. Can be iterated more than once. */
export interface JsonPieces extends AsyncIterable<Buffer> {
  readonly byteLength: number
}

/** Bytes that are written at once. */
const pieceBytes = 128 * 1024

/** Writes a body that has fields of `original`, whose long texts are passed on as they were sent. */
export function writeJson(body: object, original: object): string | JsonPieces {
  const { json, mark, marked } = writeMarked(body, original)
  if (marked.length === 0) return json
  const parts = json
    .split(new RegExp(`"${mark}(\\d+)"`))
    .map((part, index) => (index % 2 === 0 ? Buffer.from(part) : (marked[Number(part)]?.json ?? noBytes)))
  return {
    byteLength: parts.reduce((sum, { length }) => sum + length, 0),
    [Symbol.asyncIterator]: () => piecesOf(parts),
  }
}

const noBytes = Buffer.alloc(0)

/** The number of bytes of the JSON of a body, in which long texts count without escape sequences. */
export function jsonBytes(body: object): number {
  const { json, mark, marked } = writeMarked(body, body)
  const bytesOf = ({ text }: LongText, index: number) => Buffer.byteLength(text) - `${mark}${index}`.length
  return marked.reduce((sum, text, index) => sum + bytesOf(text, index), Buffer.byteLength(json))
}

/** The JSON of a body with marks in place of the long texts of `original`. */
function writeMarked(
  body: object,
  original: object,
): { readonly json: string; readonly mark: string; readonly marked: readonly LongText[] } {
  const texts = textsOf.get(original)
  const mark = randomUUID()
  const marked: LongText[] = []
  const withMarks =
    texts === undefined
      ? body
      : replaceTexts(body, (text) => {
          const known = texts.find(text)
          return known === undefined ? text : `${mark}${marked.push(known) - 1}`
        })
  return { json: JSON.stringify(withMarks), mark, marked }
}

/** Copies only what changes. The reader of bodies bounds their depth. */
function replaceTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Readonly<Record<string, unknown>>
  let copy: Record<string, unknown> | undefined
  for (const name of Object.keys(fields)) {
    const item = fields[name]
    const replaced = replaceTexts(item, replace)
    if (replaced === item) continue
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...fields }) as Record<string, unknown>
    copy[name] = replaced
  }
  return copy ?? value
}

/** Pauses after each piece: a socket takes several megabytes at once, for which the process would do nothing else. */
async function* piecesOf(parts: readonly Buffer[]): AsyncGenerator<Buffer, void, void> {
  let waiting: Buffer[] = []
  let bytes = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; at += pieceBytes) {
      const slice = part.subarray(at, at + pieceBytes)
      if (bytes + slice.length > pieceBytes) {
        yield joined(waiting)
        await nextTurn()
        waiting = []
        bytes = 0
      }
      waiting.push(slice)
      bytes += slice.length
    }
  }
  yield joined(waiting)
}

function joined(slices: readonly Buffer[]): Buffer {
  const [only] = slices
  return only !== undefined && slices.length === 1 ? only : Buffer.concat(slices)
}
