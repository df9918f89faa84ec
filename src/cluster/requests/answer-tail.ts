/** What is read of an answer stands at its very end: in its last line, or behind everything else in its only one. */
const tailBytes = 2048
const nothing: Buffer = Buffer.alloc(0)

/** Keeps the end of what passes, without joining or copying it on its way. */
export class AnswerTail {
  #last = nothing
  #second = nothing
  #third = nothing

  add(chunk: Buffer): void {
    this.#third = this.#second
    this.#second = this.#last
    this.#last = chunk
  }

  bytes(): Buffer {
    if (this.#second === nothing) {
      return this.#last.length > tailBytes ? this.#last.subarray(-tailBytes) : this.#last
    }
    return Buffer.concat([this.#third, this.#second, this.#last]).subarray(-tailBytes)
  }
}
