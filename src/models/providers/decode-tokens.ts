/**
 * The text of tokens in the vocabulary of OpenAI's embedding models (cl100k), which clients use for token arrays. Undefined when a number
 * is no token.
 */
export async function decodeTokens(tokens: readonly number[]): Promise<string | undefined> {
  // The vocabulary takes up to a second to load, so it is loaded for the first token array.
  const { decode } = await import('gpt-tokenizer/encoding/cl100k_base')
  try {
    return decode(tokens)
  } catch {
    return undefined
  }
}
