/** JSON found in an answer, as it can be parsed. */
export interface FoundJson {
  readonly text: string
  readonly value: unknown
}

const fence = '```'
const longestAnswer = 512 * 1024
const deepest = 200

/** An answer that is mostly brackets is looked at in so many places and no more. */
const mostPlaces = 8

/**
 * Finds the JSON in an answer, in the order it should be tried: all of it, what stands between code fences, and what stands
 * between brackets in the middle of other words. A comma too many and a line break inside a text are forgiven. Every step goes
 * through the answer once, so a long one takes long, but never longer than that.
 */
export function findJson(answer: string): readonly FoundJson[] {
  if (answer.length > longestAnswer) return []
  const places = new Set([answer.trim(), ...fencedBlocks(answer), ...bracketedSpans(answer)])
  return [...places].slice(0, mostPlaces).flatMap((place) => parse(place) ?? parse(mend(place)) ?? [])
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

function* fencedBlocks(answer: string): Generator<string> {
  for (let from = answer.indexOf(fence); from >= 0; ) {
    const lineEnd = answer.indexOf('\n', from)
    const to = lineEnd < 0 ? -1 : answer.indexOf(fence, lineEnd)
    if (to < 0) return
    yield answer.slice(lineEnd, to).trim()
    from = answer.indexOf(fence, to + fence.length)
  }
}

/** What begins with a bracket and ends with the one that closes it. */
function* bracketedSpans(answer: string): Generator<string> {
  const bracket = /[[{]/g
  for (let places = 0; places < mostPlaces; places++) {
    const from = bracket.exec(answer)?.index
    if (from === undefined) return
    const to = endOfSpan(answer, from)
    if (to === undefined) continue
    yield answer.slice(from, to)
    bracket.lastIndex = to
  }
}

/** Where the bracket at `from` is closed; undefined when it is not, or when too many are open at once. */
function endOfSpan(text: string, from: number): number | undefined {
  let depth = 0
  let quoted = false
  // By number, because this goes through every character of every answer.
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (quoted && code === backslash) index += 1
    else if (code === quote) quoted = !quoted
    else if (quoted) continue
    else if (code === openBrace || code === openBracket) {
      depth += 1
      if (depth > deepest) return undefined
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

/** A quoted text, also one that nobody closed, or a comma that nothing but a closing bracket follows. */
const mendable = /"(?:[^"\\]|\\.)*(?:"|\\?$)|,(?=\s*[}\]])/gs

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Leaves out a comma before a closing bracket, and writes line breaks inside texts as JSON wants them. */
function mend(text: string): string {
  return text.replaceAll(mendable, (found) =>
    found === ',' ? '' : found.replaceAll(/[\n\r\t]/g, (character) => escapes[character] ?? character),
  )
}
