/*
 * A custom tool has a text as its input. Models that know functions only write it as the field `input` of JSON arguments, of which the
 * text is read again while it arrives.
 */

export function writeCustomInput(input: string): string {
  return JSON.stringify({ input })
}

/** The input in complete arguments; the arguments themselves when a model wrote plain text. */
export function readCustomInput(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string') return value
    if (typeof value === 'object' && value !== null && 'input' in value && typeof value.input === 'string')
      return value.input
  } catch {
    // Not JSON.
  }
  return text
}

/** Reads the input of arguments that arrive in pieces. */
export interface CustomInputReader {
  /** Adds a piece and returns the text that it completes. */
  add(piece: string): string
}

/**
 * | state    | next                                                                              |
 * |----------|-----------------------------------------------------------------------------------|
 * | `before` | `inside` after the quote that starts the value of `input`                          |
 * | `inside` | `after` at the quote that ends it, or at an escape that JSON does not have         |
 * | `after`  | the rest is ignored                                                                |
 */
export function createCustomInputReader(): CustomInputReader {
  let state: 'before' | 'inside' | 'after' = 'before'
  let pending = ''
  return {
    add(piece) {
      if (state === 'after') return ''
      pending += piece
      if (state === 'before') {
        const start = /^\s*\{\s*"input"\s*:\s*"/.exec(pending)
        if (start === null) return ''
        pending = pending.slice(start[0].length)
        state = 'inside'
      }
      const { length, isEnd } = measure(pending)
      const text = decode(pending.slice(0, length))
      pending = pending.slice(length)
      if (isEnd || text === undefined) state = 'after'
      return text ?? ''
    },
  }
}

/** The length of the text that can be decoded: without a part of an escape, and without the first half of a character. */
function measure(text: string): { readonly length: number; readonly isEnd: boolean } {
  let length = 0
  for (let at = 0; at < text.length; ) {
    if (text[at] === '"') return { length: at, isEnd: true }
    const isEscape = text[at] === '\\'
    const size = isEscape ? (text[at + 1] === 'u' ? 6 : 2) : 1
    if (at + size > text.length) break
    const code = size === 6 ? Number.parseInt(text.slice(at + 2, at + 6), 16) : text.charCodeAt(at)
    at += size
    const isFirstHalf = code >= 0xd8_00 && code <= 0xdb_ff
    if (!isFirstHalf) length = at
  }
  return { length, isEnd: false }
}

/** Undefined for an escape that JSON does not have. Some models write line breaks without an escape. */
function decode(text: string): string | undefined {
  const escaped = text.replaceAll(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1))
  try {
    return JSON.parse(`"${escaped}"`) as string
  } catch {
    return undefined
  }
}
