/** One entry of the vocabulary, in the terms of SentencePiece. */
export interface Token {
  readonly text: string
  readonly score: number
  readonly type: number
}

const types = { normal: 1, unknown: 2, control: 3, byte: 6 }
const firstByte = 3
const lastByte = firstByte + 255
const special: Readonly<Record<number, Token>> = {
  0: { text: '<unk>', score: 0, type: types.unknown },
  1: { text: '<s>', score: 0, type: types.control },
  2: { text: '</s>', score: 0, type: types.control },
}

/** Reads a tokenizer file of llama2.c, whose tokens are formatted for printing, and restores the original tokens. */
export function readTokens(file: Buffer): readonly Token[] {
  const tokens: Token[] = []
  // The first number is the length of the longest token.
  let at = 4
  while (at < file.length) {
    const score = file.readFloatLE(at)
    const length = file.readInt32LE(at + 4)
    const text = file.toString('utf8', at + 8, at + 8 + length)
    tokens.push(restore(tokens.length, text, score))
    at += 8 + length
  }
  return tokens
}

function restore(id: number, text: string, score: number): Token {
  const known = special[id]
  if (known !== undefined) return known
  if (id >= firstByte && id <= lastByte) {
    const hex = (id - firstByte).toString(16).toUpperCase().padStart(2, '0')
    return { text: `<0x${hex}>`, score, type: types.byte }
  }
  return { text: text.replaceAll(' ', '\u2581'), score, type: types.normal }
}
