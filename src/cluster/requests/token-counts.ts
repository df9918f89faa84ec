/** The token usage of a response. */
export interface TokenCounts {
  readonly prompt: number
  readonly completion: number
}

// Quotation marks inside text are escaped, so output of a model cannot match.
const promptFields = ['"prompt_eval_count":', '"prompt_tokens":', '"input_tokens":']
const completionFields = ['"eval_count":', '"completion_tokens":', '"output_tokens":']
const maxDigits = 12

/** Reads the counts from the end of a response, and the input count from its beginning if the end has only the output count. */
export function readTokenCounts(tail: Buffer, beginning?: Buffer): TokenCounts | undefined {
  const text = tail.toString('latin1')
  const prompt = readFirst(text, promptFields)
  const completion = readFirst(text, completionFields)
  if (prompt === undefined && completion === undefined) return undefined
  const before = prompt === undefined ? readFirst(beginning?.toString('latin1') ?? '', promptFields) : prompt
  return { prompt: before ?? 0, completion: completion ?? 0 }
}

/** Searches one after the other, which is far cheaper than one regular expression for all. */
function readFirst(text: string, fields: readonly string[]): number | undefined {
  for (const field of fields) {
    const at = text.indexOf(field)
    if (at !== -1) return readNumber(text, at + field.length)
  }
  return undefined
}

function readNumber(text: string, from: number): number | undefined {
  const start = text.charCodeAt(from) === 0x20 ? from + 1 : from
  let number = 0
  let at = start
  for (; at < start + maxDigits; at++) {
    const digit = text.charCodeAt(at) - 0x30
    if (!(digit >= 0 && digit <= 9)) break
    number = number * 10 + digit
  }
  return at === start ? undefined : number
}
