/** Texts of this many characters are worth not parsing: 256 K characters take about 3 ms, and as long again to be written. */
export const largeText = 256 * 1024

/**
 * A large JSON value as its text. Parsing and writing a value of some megabytes holds the event loop for a tenth of a second each time, and
 * most large values are only passed on: from a response into a row, and from the row into a response. The value is parsed when it is
 * read for the first time. Where nothing knows about texts, `JSON.stringify` writes the value.
 */
export class JsonText {
  /** Valid JSON. */
  readonly text: string
  #value: unknown
  #bytes: number | undefined

  constructor(text: string, bytes?: number) {
    this.text = text
    this.#bytes = bytes
  }

  /** In UTF-8. */
  get bytes(): number {
    this.#bytes ??= Buffer.byteLength(this.text)
    return this.#bytes
  }

  get value(): unknown {
    // No large text is the value undefined.
    this.#value ??= JSON.parse(this.text)
    return this.#value
  }

  toJSON(): unknown {
    return this.value
  }
}

/** The value itself, where it may be a text. */
export function plainValue(value: unknown): unknown {
  return value instanceof JsonText ? value.value : value
}
