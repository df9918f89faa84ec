import { setImmediate as nextTurn } from 'node:timers/promises'

/** The most text that is tokenised; the rest is extrapolated. */
const maxCountedBytes = 256 * 1024
/** The time to tokenise a run without spaces grows with the square of its length, so a text is cut into pieces. */
const pieceLength = 256
/** How long tokenising may block the event loop. */
const maxBlockMs = 5
/** Names of special tokens are ordinary text here. */
const options = { disallowedSpecial: new Set<string>() }

/**
 * The approximate number of tokens of a text, by the vocabulary of current OpenAI models (o200k); other models have other vocabularies.
 * The rest of a text above 256 KiB counts as its start does.
 */
export async function estimateTokens(text: string): Promise<number> {
  if (text === '') return 0
  // The vocabulary takes 0.4 s to load, so it is loaded for the first estimate.
  const { countTokens, clearMergeCache } = await import('gpt-tokenizer/encoding/o200k_base')
  const bytes = Buffer.byteLength(text)
  let [tokens, counted, startedAt] = [0, 0, performance.now()]
  for (let at = 0; at < text.length && counted < maxCountedBytes; ) {
    const end = endOfPiece(text, at)
    const piece = text.slice(at, end)
    tokens += countTokens(piece, options)
    counted += Buffer.byteLength(piece)
    at = end
    if (performance.now() - startedAt < maxBlockMs) continue
    await nextTurn()
    startedAt = performance.now()
  }
  // The cache holds pieces of the text, and so the whole text.
  clearMergeCache()
  return Math.ceil((tokens * bytes) / Math.min(counted, bytes))
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
