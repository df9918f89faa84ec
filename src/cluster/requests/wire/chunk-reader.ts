import { InvalidResponse, maxHeadBytes, readField } from './response-head.ts'

const maxDigits = 12
const maxExtensionLength = 256
const carriageReturn = 0x0d
const lineFeed = 0x0a
const semicolon = 0x3b
const tab = 0x09

/**
 * Decodes a chunked body. Input may be split anywhere.
 *
 * | state     | on                                | next                                    |
 * |-----------|-----------------------------------|-----------------------------------------|
 * | size      | a hexadecimal digit               | size                                    |
 * | size      | `;`, after a digit                | extension                               |
 * | size      | CR, after a digit                 | sizeEnd                                 |
 * | extension | a visible byte, up to a bound     | extension, ignored                      |
 * | extension | CR                                | sizeEnd                                 |
 * | sizeEnd   | LF                                | data; after a size of 0, trailer        |
 * | data      | as many bytes as the size said    | dataCr                                  |
 * | dataCr    | CR                                | dataLf                                  |
 * | dataLf    | LF                                | size                                    |
 * | trailer   | a byte of a line, up to a bound   | trailer, ignored                        |
 * | trailer   | CR                                | trailerLf                               |
 * | trailerLf | LF                                | trailer; done, if the line was empty    |
 *
 * Any other input throws.
 */
export class ChunkReader {
  /** End of the body in the last input; undefined while it continues. */
  endedAt: number | undefined
  #state: 'size' | 'extension' | 'sizeEnd' | 'data' | 'dataCr' | 'dataLf' | 'trailer' | 'trailerLf' | 'done' =
    'size'
  /** Remaining bytes of the chunk. */
  #left = 0
  #digits = 0
  #extension = 0
  #line = ''
  #trailerBytes = 0

  /**
   * Reads from `start` and returns the body bytes in it. They are compacted in place, so that one input gives one
   * output; the input buffer must not be used afterwards.
   */
  read(bytes: Buffer, from: number): Buffer {
    let at = from
    let bodyStart = from
    let bodyEnd = from
    while (at < bytes.length && this.#state !== 'done') {
      if (this.#state !== 'data') {
        this.#step(bytes[at] ?? 0)
        at += 1
        continue
      }
      const until = Math.min(bytes.length, at + this.#left)
      if (bodyEnd === bodyStart) {
        bodyStart = at
        bodyEnd = at
      }
      if (bodyEnd !== at) bytes.copyWithin(bodyEnd, at, until)
      bodyEnd += until - at
      this.#left -= until - at
      at = until
      if (this.#left === 0) this.#state = 'dataCr'
    }
    if (this.#state === 'done') this.endedAt ??= at
    return bytes.subarray(bodyStart, bodyEnd)
  }

  #step(byte: number): void {
    switch (this.#state) {
      case 'size':
        this.#stepInSize(byte)
        return
      case 'extension':
        this.#extension += 1
        if (byte === carriageReturn) this.#state = 'sizeEnd'
        else if ((byte < 0x20 && byte !== tab) || byte > 0x7e || this.#extension > maxExtensionLength) {
          throw new InvalidResponse('a chunk has an extension that is none')
        }
        return
      case 'sizeEnd':
        expect(byte, lineFeed)
        this.#state = this.#left > 0 ? 'data' : 'trailer'
        return
      case 'dataCr':
        expect(byte, carriageReturn)
        this.#state = 'dataLf'
        return
      case 'dataLf':
        expect(byte, lineFeed)
        this.#digits = 0
        this.#extension = 0
        this.#state = 'size'
        return
      case 'trailer':
        this.#trailerBytes += 1
        if (this.#trailerBytes > maxHeadBytes) throw new InvalidResponse('too much follows its last chunk')
        if (byte === carriageReturn) this.#state = 'trailerLf'
        else this.#line += String.fromCharCode(byte)
        return
      case 'trailerLf':
        expect(byte, lineFeed)
        this.#endLine()
        return
      default:
    }
  }

  #stepInSize(byte: number): void {
    const digit = digitOf(byte)
    if (digit !== -1) {
      this.#digits += 1
      if (this.#digits > maxDigits) throw new InvalidResponse('a chunk is too large')
      this.#left = this.#left * 16 + digit
      return
    }
    if (this.#digits === 0 || (byte !== carriageReturn && byte !== semicolon)) {
      throw new InvalidResponse('a chunk has a size that is not a number')
    }
    this.#state = byte === semicolon ? 'extension' : 'sizeEnd'
  }

  #endLine(): void {
    if (this.#line === '') {
      this.#state = 'done'
      return
    }
    readField(this.#line)
    this.#line = ''
    this.#state = 'trailer'
  }
}

function expect(byte: number, expected: number): void {
  if (byte !== expected) throw new InvalidResponse('a chunk does not end where it should')
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
