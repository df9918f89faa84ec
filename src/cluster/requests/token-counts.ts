/** What an answer says it cost. */
export interface TokenCounts {
  readonly prompt: number
  readonly completion: number
}

// A quotation mark inside a text is escaped, so a model that writes these words is not taken for the runtime.
const promptCount = /"(?:prompt_eval_count|prompt_tokens|input_tokens)":\s?(\d{1,12})/
const completionCount = /"(?:eval_count|completion_tokens|output_tokens)":\s?(\d{1,12})/

/** Reads the counts from the end of an answer; undefined when there are none. */
export function readTokenCounts(tail: Buffer): TokenCounts | undefined {
  const text = tail.toString('latin1')
  const prompt = promptCount.exec(text)?.[1]
  const completion = completionCount.exec(text)?.[1]
  if (prompt === undefined && completion === undefined) return undefined
  return { prompt: Number(prompt ?? 0), completion: Number(completion ?? 0) }
}
