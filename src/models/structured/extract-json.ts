/** JSON found in the output of a model. */
export interface FoundJson {
  readonly text: string
  readonly value: unknown
}

const fence = '```'
const maxResponseLength = 512 * 1024
const maxDepth = 200

/** The bound on candidates, for output that is mostly brackets. */
const maxCandidates = 8

/**
 * Finds JSON in the output of a model, in the order to try: the whole output, fenced code blocks, and text in brackets.
 * Trailing commas and line breaks inside strings are repaired. The time is linear in the length of the output.
 */
export function findJson(output: string): readonly FoundJson[] {
  if (output.length > maxResponseLength) return []
  const candidates = new Set([output.trim(), ...fencedBlocks(output), ...bracketedSpans(output)])
  return [...candidates]
    .slice(0, maxCandidates)
    .flatMap((candidate) => parse(candidate) ?? parse(repair(candidate)) ?? [])
}

function parse(text: string): FoundJson | undefined {
  const nests = text.startsWith('{') || text.startsWith('[')
  if (nests && endOfSpan(text, 0) === undefined) return undefined
  try {
    return { text, value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function* fencedBlocks(output: string): Generator<string> {
  for (let from = output.indexOf(fence); from >= 0; ) {
    const lineEnd = output.indexOf('\n', from)
    const to = lineEnd < 0 ? -1 : output.indexOf(fence, lineEnd)
    if (to < 0) return
    yield output.slice(lineEnd, to).trim()
    from = output.indexOf(fence, to + fence.length)
  }
}

/** Spans from a bracket to the matching closing bracket. */
function* bracketedSpans(output: string): Generator<string> {
  const bracket = /[[{]/g
  for (let candidates = 0; candidates < maxCandidates; candidates++) {
    const from = bracket.exec(output)?.index
    if (from === undefined) return
    const to = endOfSpan(output, from)
    if (to === undefined) continue
    yield output.slice(from, to)
    bracket.lastIndex = to
  }
}

/** The end of the span that starts with the bracket at `from`; undefined when it is not closed or nested too deeply. */
function endOfSpan(text: string, from: number): number | undefined {
  let depth = 0
  let quoted = false
  // Compares character codes, because this loop runs for every character of every output.
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (quoted && code === backslash) index += 1
    else if (code === quote) quoted = !quoted
    else if (quoted) continue
    else if (code === openBrace || code === openBracket) {
      depth += 1
      if (depth > maxDepth) return undefined
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1
      if (depth <= 0) return index + 1
    }
  }
  return undefined
}

const [quote, backslash] = ['"', '\\'].map(codeOf)
const [openBrace, closeBrace, openBracket, closeBracket] = ['{', '}', '[', ']'].map(codeOf)

function codeOf(character: string): number {
  return character.charCodeAt(0)
}

/** A string, also an unterminated one, or a comma before a closing bracket. */
const repairable = /"(?:[^"\\]|\\.)*(?:"|\\?$)|,(?=\s*[}\]])/gs

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Removes trailing commas and escapes line breaks inside strings. */
function repair(text: string): string {
  return text.replaceAll(repairable, (found) =>
    found === ',' ? '' : found.replaceAll(/[\n\r\t]/g, (character) => escapes[character] ?? character),
  )
}
