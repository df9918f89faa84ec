import { kernelFailure } from '#kernel/errors'
import { invalidInput, maxLevels, nestedTooDeeply } from './validation.ts'

/** The positions of a string of JSON in a body: of its first quote, and after its last one. */
export interface StringPosition {
  readonly start: number
  readonly end: number
}

interface ScanOptions {
  /** JSON values that a body may have. */
  readonly maxValues: number
  /** Strings with fewer bytes are not collected. Default: no string is. */
  readonly minBytes?: number
}

const [quote, backslash, comma, colon, bracket, brace, endOfArray, endOfObject, space] =
  Buffer.from('"\\,:[{]} ')

/** Bytes that are read one by one in a step, which takes less than a millisecond. */
const stepBytes = 128 * 1024

/**
 * Throws `invalid_input` before anything is parsed, for two kinds of bodies whose cost is out of proportion to their bytes: one nested too
 * deeply, and one of very many small values, which would block the event loop for seconds and need gigabytes. Names of fields count
 * as values. Media and long texts are few values.
 *
 * Returns the long strings, in their order. They are complete, but may contain what JSON does not allow. Names of fields are not among them.
 * The caller may pause at every `yield`.
 */
export function* scanStructure(
  body: Buffer,
  { maxValues, minBytes = Number.POSITIVE_INFINITY }: ScanOptions,
): Generator<undefined, readonly StringPosition[]> {
  const found: StringPosition[] = []
  let values = 0
  let depth = 0
  let pauseAt = stepBytes
  for (let at = 0; at < body.length; at += 1) {
    if (at >= pauseAt) {
      yield
      pauseAt = at + stepBytes
    }
    const byte = body[at]
    if (byte === endOfArray || byte === endOfObject) depth -= 1
    if (byte === bracket || byte === brace) depth += 1
    if (depth > maxLevels) throw invalidInput([nestedTooDeeply], 'body')
    if (byte === quote) {
      const start = at
      // Finding the next quote is faster than reading each byte, and most strings have no quotes in them.
      const end = body.indexOf('"', start + 1)
      if (end === -1) at = body.length
      else if (body[end - 1] !== backslash) at = end
      else {
        at += 1
        while (at < body.length && body[at] !== quote) {
          at += body[at] === backslash ? 2 : 1
          if (at < pauseAt) continue
          yield
          pauseAt = at + stepBytes
        }
      }
      const isLong = at - start >= minBytes && at < body.length
      if (isLong && !isName(body, at + 1)) found.push({ start, end: at + 1 })
    } else if (byte !== comma && byte !== bracket && byte !== brace) continue
    values += 1
    if (values > maxValues) {
      throw kernelFailure('invalid_input', {
        message: `The body has more than ${maxValues} JSON values; send fewer of them in one request.`,
      })
    }
  }
  return found
}

/** Whether a colon follows. */
function isName(body: Buffer, end: number): boolean {
  let at = end
  while (at < body.length && (body[at] ?? 0) <= (space ?? 0)) at += 1
  return body[at] === colon
}
