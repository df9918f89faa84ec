/** The token counts are at the end of a response: in its last line, or at the end of its only line. */
const tailBytes = 2048
/** Except for input tokens of an event stream: those are in its first event. */
const beginningBytes = 2048
const nothing: Buffer = Buffer.alloc(0)

/** Keeps copies of the beginning and the end of a response, without joining chunks. */
export class ResponseTail {
  #first = nothing
  #last = nothing
  #second = nothing
  #third = nothing

  add(chunk: Buffer): void {
    if (chunk.length > tailBytes) {
      if (this.#first === nothing) this.#first = Buffer.from(chunk.subarray(0, beginningBytes))
      this.#third = nothing
      this.#second = nothing
      const isReusable = this.#last.length === tailBytes && this.#last !== this.#first
      if (!isReusable) this.#last = Buffer.allocUnsafe(tailBytes)
      chunk.copy(this.#last, 0, chunk.length - tailBytes)
      return
    }
    const copy = Buffer.from(chunk)
    if (this.#first === nothing) this.#first = copy
    this.#third = this.#second
    this.#second = this.#last
    this.#last = copy
  }

  beginning(): Buffer {
    return this.#first.subarray(0, beginningBytes)
  }

  bytes(): Buffer {
    if (this.#second === nothing) {
      return this.#last.length > tailBytes ? this.#last.subarray(-tailBytes) : this.#last
    }
    return Buffer.concat([this.#third, this.#second, this.#last]).subarray(-tailBytes)
  }
}
