/** What is read of an answer stands at its very end: in its last line, or behind everything else in its only one. */
const tailBytes = 2048
/** Except for what a stream of messages says of its input: that is in its first event. */
const beginningBytes = 2048
const nothing: Buffer = Buffer.alloc(0)

/** Keeps the end of what passes, and how it began, without joining or copying it on its way. */
export class AnswerTail {
  #first = nothing
  #last = nothing
  #second = nothing
  #third = nothing

  add(chunk: Buffer): void {
    if (this.#first === nothing) this.#first = chunk
    this.#third = this.#second
    this.#second = this.#last
    this.#last = chunk
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
