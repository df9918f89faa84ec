import { isAscii } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { StringPosition } from './json-structure.ts'
import type { LongText } from './long-texts.ts'

/** The parsed body, its long strings, and its JSON with marks in their place. */
interface ParsedBody {
  readonly data: unknown
  readonly texts: readonly LongText[]
  readonly skeleton: string
}

interface StepOptions {
  /** Bytes of a string that are read in a step, which takes less than a millisecond. */
  readonly stepBytes: number
}

const defaults: StepOptions = { stepBytes: 64 * 1024 }
/** Values that are searched for marks in a step. */
const stepValues = 10_000

const backslash = 0x5c
const utf8 = new TextDecoder('utf-8', { fatal: true })
/** For parts of a text: a byte order mark at their start is a character. */
const partOfUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** JSON allows them in strings as escape sequences only. */
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\0-\x1f]/

/**
 * Parses JSON as `JSON.parse` does, in steps: the long strings each in parts, the rest at once. The caller may pause at every `yield`.
 * Returns undefined for an invalid body: its error has the position in the whole body, which only `JSON.parse` of it finds.
 */
export function* parseJsonInSteps(
  body: Buffer,
  longStrings: readonly StringPosition[],
  options: StepOptions = defaults,
): Generator<undefined, ParsedBody | undefined> {
  try {
    return yield* parseParts(body, longStrings, options)
  } catch (error) {
    if (isInvalid(error)) return undefined
    throw error
  }
}

/** An error of `JSON.parse` or of the decoder. */
function isInvalid(error: unknown): boolean {
  if (error instanceof SyntaxError) return true
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
}

function* parseParts(
  body: Buffer,
  longStrings: readonly StringPosition[],
  options: StepOptions,
): Generator<undefined, ParsedBody> {
  const texts: LongText[] = []
  const mark = randomUUID()
  const rest: Buffer[] = []
  let restStart = 0
  for (const { start, end } of longStrings) {
    const text = yield* readString(body.subarray(start + 1, end - 1), options)
    rest.push(body.subarray(restStart, start), Buffer.from(`"${mark}${texts.length}"`))
    texts.push({ text, json: body.subarray(start, end) })
    restStart = end
  }
  const skeleton = utf8.decode(Buffer.concat([...rest, body.subarray(restStart)]))
  const parsed = { data: JSON.parse(skeleton) as unknown }
  yield* replaceMarks(parsed, mark, texts)
  return { ...parsed, texts, skeleton }
}

/** Reads the bytes between the quotes of a string. */
function* readString(bytes: Buffer, options: StepOptions): Generator<undefined, string> {
  if (!isAscii(bytes) || bytes.includes(backslash)) return yield* readParts(bytes, options)
  const { stepBytes } = options
  yield
  const text = bytes.toString('latin1')
  for (let at = 0; at < text.length; at += stepBytes) {
    yield
    if (controlCharacter.test(text.slice(at, at + stepBytes))) throw new SyntaxError('control character')
  }
  return text
}

function* readParts(bytes: Buffer, { stepBytes }: StepOptions): Generator<undefined, string> {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    yield
    const end = endOfPart(bytes, at, stepBytes)
    parts.push(JSON.parse(`"${partOfUtf8.decode(bytes.subarray(at, end))}"`) as string)
    at = end
  }
  yield
  return parts.join('')
}

const maxContinuationBytes = 3
/** `\u0041` without its last character. */
const maxCutEscape = 5

/** Where a part may end: neither inside a character nor inside an escape sequence. */
function endOfPart(bytes: Buffer, start: number, stepBytes: number): number {
  let end = start + stepBytes
  if (end >= bytes.length) return bytes.length
  for (let nth = 0; nth < maxContinuationBytes && ((bytes[end] ?? 0) & 0xc0) === 0x80; nth += 1) end -= 1
  for (let at = end - 1; at >= end - maxCutEscape; at -= 1) {
    if (bytes[at] !== backslash) continue
    // The second of two backslashes is an escaped one.
    return countBackslashes(bytes, start, at) % 2 === 1 ? at : end
  }
  return end
}

/** The number of backslashes in a row that end here. */
function countBackslashes(bytes: Buffer, start: number, last: number): number {
  let at = last
  while (at >= start && bytes[at] === backslash) at -= 1
  return last - at
}

/** Marks of strings whose field another one of the same name follows are not found. */
function* replaceMarks(
  parsed: { data: unknown },
  mark: string,
  texts: readonly LongText[],
): Generator<undefined, void> {
  const waiting: object[] = [parsed]
  let left = texts.length
  let values = 0
  for (let next = waiting.pop(); next !== undefined && left > 0; next = waiting.pop()) {
    const fields = next as Record<string, unknown>
    for (const name of Object.keys(fields)) {
      const value = fields[name]
      if (typeof value === 'string' && value.startsWith(mark)) {
        fields[name] = texts[Number(value.slice(mark.length))]?.text
        left -= 1
      } else if (typeof value === 'object' && value !== null) waiting.push(value)
      values += 1
      if (values % stepValues === 0) yield
    }
  }
}
