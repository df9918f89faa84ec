import { parentPort } from 'node:worker_threads'

/** Counts the tokens of a text, or decodes token arrays. */
export type TokenizerRequest =
  | { readonly kind: 'count'; readonly text: string }
  | { readonly kind: 'decode'; readonly tokens: readonly (readonly number[])[] }

export interface TokenizerResult {
  readonly count: number
  /** Undefined for an array with a number that is no token. */
  readonly texts: readonly (string | undefined)[]
}

/** The time to tokenise a run without spaces grows with the square of its length, so a text is cut into pieces. */
const pieceLength = 256
/** Names of special tokens are ordinary text here. */
const options = { disallowedSpecial: new Set<string>() }

/* A vocabulary takes up to a second to load and 30 MB of memory, so each is loaded for the first request that needs it. */

/** Counts by the vocabulary of current OpenAI models. */
async function count(text: string): Promise<number> {
  if (text === '') return 0
  const { countTokens, clearMergeCache } = await import('gpt-tokenizer/encoding/o200k_base')
  let tokens = 0
  for (let at = 0; at < text.length; ) {
    const end = endOfPiece(text, at)
    tokens += countTokens(text.slice(at, end), options)
    at = end
  }
  // The cache holds pieces of the text, and so the whole text.
  clearMergeCache()
  return tokens
}

/** Cuts before a space where there is one, because tokens start with it, and never inside a character. */
function endOfPiece(text: string, from: number): number {
  const end = from + pieceLength
  if (end >= text.length) return text.length
  const space = text.lastIndexOf(' ', end)
  if (space > from) return space
  const isInsideCharacter = /[\udc00-\udfff]/.test(text.charAt(end))
  return isInsideCharacter ? end + 1 : end
}

/** Decodes by the vocabulary of OpenAI's embedding models, which clients use for token arrays. */
async function decodeAll(arrays: readonly (readonly number[])[]): Promise<TokenizerResult['texts']> {
  const { decode } = await import('gpt-tokenizer/encoding/cl100k_base')
  return arrays.map((tokens) => {
    try {
      return decode(tokens)
    } catch {
      return undefined
    }
  })
}

async function respond(request: TokenizerRequest): Promise<TokenizerResult> {
  return request.kind === 'count'
    ? { count: await count(request.text), texts: [] }
    : { count: 0, texts: await decodeAll(request.tokens) }
}

parentPort?.on('message', (request: TokenizerRequest) => {
  // A rejection ends the thread, which the main thread notices.
  void respond(request).then((result) => parentPort?.postMessage(result, []))
})
