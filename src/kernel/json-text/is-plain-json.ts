interface Limits {
  /** How deeply lists and objects may be nested. */
  readonly maxLevels: number
}

/** Characters between two yields: about half a millisecond. A single string or number is not interrupted. */
const perSlice = 64 * 1024

const [quote, backslash, comma, colon, bracket, brace, endOfArray, endOfObject, lowerU] =
  codesOf('"\\,:[{]}u')

function codesOf(text: string): number[] {
  return Array.from(text, (sign) => sign.charCodeAt(0))
}

/**
 * What may come next, besides white space.
 *
 * | state        | comes next                               | then                                         |
 * |--------------|------------------------------------------|----------------------------------------------|
 * | `value`      | a value                                  | `next`, or the first state inside of it      |
 * | `firstValue` | a value, or the end of the list          | the same, or `next`                          |
 * | `name`       | the name of a field                      | `colon`                                      |
 * | `firstName`  | the name of a field, or the end          | `colon`, or `next`                           |
 * | `colon`      | a colon                                  | `value`                                      |
 * | `next`       | a comma, or the end of what is open      | `value` in a list, `name` in an object; `next` |
 */
type State = 'value' | 'firstValue' | 'name' | 'firstName' | 'colon' | 'next'

/**
 * Whether a text of any size is JSON that can be stored and passed on as it is. Yields where others may run, and needs no memory. Not
 * plain, besides what is not JSON or nested too deeply: escapes that PostgreSQL cannot store (NUL, half of a surrogate
 * pair), and numbers with more digits than any double needs, or too large for one.
 */
export function* isPlainJson(text: string, { maxLevels }: Limits): Generator<undefined, boolean> {
  /** What ends each open list or object, the outermost first. */
  const ends: (number | undefined)[] = []
  let state = 'value' as State
  let pauseAt = perSlice
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pauseAt) {
      yield
      pauseAt = at + perSlice
    }
    const code = text.charCodeAt(at)
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) continue
    if (state === 'next') {
      if (code === comma && ends.length > 0) state = ends.at(-1) === endOfObject ? 'name' : 'value'
      else if (code !== ends.pop()) return false
    } else if (state === 'colon') {
      if (code !== colon) return false
      state = 'value'
    } else if (code === quote) {
      at = endOfString(text, at)
      if (at === -1) return false
      state = state === 'name' || state === 'firstName' ? 'colon' : 'next'
    } else if (
      (state === 'firstName' && code === endOfObject) ||
      (state === 'firstValue' && code === endOfArray)
    ) {
      ends.pop()
      state = 'next'
    } else if (state === 'name' || state === 'firstName') {
      return false
    } else if (code === bracket || code === brace) {
      if (ends.length === maxLevels) return false
      ends.push(code === bracket ? endOfArray : endOfObject)
      state = code === bracket ? 'firstValue' : 'firstName'
    } else {
      at = endOfLiteral(text, at)
      if (at === -1) return false
      state = 'next'
    }
  }
  return state === 'next' && ends.length === 0
}

/**
 * Numbers below 10 ** 309: at most 40 digits and an exponent of 269. The rest of a longer one is not what may come next.
 */
const literal =
  /true|false|null|-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?(?:[eE](?:-\d{1,3}|\+?(?:1\d\d|2[0-6]\d|\d{1,2})))?/y

/** The position of its last character; -1: it is none. */
function endOfLiteral(text: string, start: number): number {
  literal.lastIndex = start
  return literal.test(text) ? literal.lastIndex - 1 : -1
}

/** The position of the quote that ends it; -1: it is not a plain string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) {
      at = endOfEscape(text, at)
      if (at === -1) return -1
    } else if (!(code >= 0x20)) {
      // A control character, or the end of the text, where the code is not a number.
      return -1
    }
  }
}

const simpleEscapes = new Set(codesOf('"\\/bfnrt'))

/** The position of the last character of an escape; -1: it is none, or cannot be stored. */
function endOfEscape(text: string, start: number): number {
  const code = text.charCodeAt(start + 1)
  if (simpleEscapes.has(code)) return start + 1
  const unit = code === lowerU ? unitAt(text, start) : 0
  if (unit === 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return -1
  if (unit < 0xd800 || unit > 0xdbff) return start + 5
  const isPair = text.startsWith('\\u', start + 6)
  const low = isPair ? unitAt(text, start + 6) : 0
  return low >= 0xdc00 && low <= 0xdfff ? start + 11 : -1
}

/** The unit that `\uXXXX` stands for; 0, which cannot be stored, when it is not written correctly. */
function unitAt(text: string, start: number): number {
  const digits = text.slice(start + 2, start + 6)
  return /^[\da-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : 0
}
