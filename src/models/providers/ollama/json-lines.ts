import { ProviderFailure } from '../provider-failure.ts'

interface JsonLinesOptions {
  /** Begins the sentences of failures. */
  readonly who: string
  readonly longestLineBytes: number
  /** Told of every piece that arrives. */
  readonly onBytes: () => void
}

const lineBreak = 10

/** Reads lines of JSON out of bytes that are cut anywhere, each as soon as it is complete. Throws at the first that is none. */
export async function* readJsonLines(
  body: AsyncIterable<Uint8Array>,
  { who, longestLineBytes, onBytes }: JsonLinesOptions,
): AsyncGenerator {
  // Bytes are only read as text when a line is whole, so that no character is torn apart.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let begun: Uint8Array[] = []
  let begunBytes = 0

  const take = (end: Uint8Array): unknown => {
    const bytes = Buffer.concat([...begun, end])
    begun = []
    begunBytes = 0
    return parseLine(bytes, decoder, who)
  }

  for await (const chunk of body) {
    onBytes()
    let from = 0
    for (let at = chunk.indexOf(lineBreak); at !== -1; at = chunk.indexOf(lineBreak, from)) {
      const value = take(chunk.subarray(from, at))
      if (value !== undefined) yield value
      from = at + 1
    }
    begunBytes += chunk.length - from
    if (begunBytes > longestLineBytes) {
      throw new ProviderFailure({ kind: 'malformed', message: `${who} sent a line without end.` })
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  const last = take(new Uint8Array())
  if (last !== undefined) yield last
}

/** Undefined for an empty line. */
function parseLine(bytes: Uint8Array, decoder: { decode(bytes: Uint8Array): string }, who: string): unknown {
  try {
    const text = decoder.decode(bytes).trim()
    return text === '' ? undefined : JSON.parse(text)
  } catch (cause) {
    throw new ProviderFailure({ kind: 'malformed', message: `${who} sent a line that is not JSON.`, cause })
  }
}
