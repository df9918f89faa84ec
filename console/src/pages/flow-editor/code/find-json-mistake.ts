/** What keeps a text from being JSON, and where. */
interface JsonMistake {
  readonly at: number
  /** Ends a sentence that begins with the line. */
  readonly message: string
}

/** As deep as the platform takes it. */
const mostLevels = 200

/**
 * The first mistake in a text that should be JSON, in the same words in every browser. A name that stands twice in one
 * object is one too: only the last value would be kept.
 */
export function findJsonMistake(text: string): JsonMistake | undefined {
  try {
    readText(text)
    return undefined
  } catch (thrown) {
    if (thrown instanceof Mistake) return { at: thrown.at, message: thrown.message }
    throw thrown
  }
}

class Mistake extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

function readText(text: string): void {
  const end = readValue(text, skipSpace(text, 0), 0)
  const after = skipSpace(text, end)
  if (after < text.length) throw new Mistake(after, 'nothing may stand after the end of the flow.')
}

/** Each of these reads from a place and gives the place after it. */
function readValue(text: string, at: number, level: number): number {
  if (level > mostLevels) throw new Mistake(at, `this is nested more than ${mostLevels} levels deep.`)
  switch (text[at]) {
    case '{':
      return readObject(text, at, level)
    case '[':
      return readList(text, at, level)
    case '"':
      return readString(text, at)
    default:
      return readWord(text, at)
  }
}

function readObject(text: string, start: number, level: number): number {
  const names = new Set<string>()
  let at = skipSpace(text, start + 1)
  if (text[at] === '}') return at + 1
  while (true) {
    if (text[at] !== '"') throw new Mistake(at, nameMissing(text, at))
    const end = readString(text, at)
    const name = text.slice(at + 1, end - 1)
    if (names.has(name)) throw new Mistake(at, `"${name}" stands twice in one object.`)
    names.add(name)
    const colon = skipSpace(text, end)
    if (text[colon] !== ':') throw new Mistake(end, `a colon is missing after "${name}".`)
    at = skipSpace(text, readValue(text, skipSpace(text, colon + 1), level + 1))
    if (text[at] === '}') return at + 1
    at = readComma(text, at, '}')
  }
}

function readList(text: string, start: number, level: number): number {
  let at = skipSpace(text, start + 1)
  if (text[at] === ']') return at + 1
  while (true) {
    at = skipSpace(text, readValue(text, at, level + 1))
    if (text[at] === ']') return at + 1
    at = readComma(text, at, ']')
  }
}

function readComma(text: string, at: number, closing: string): number {
  if (at >= text.length) throw new Mistake(text.length, `the text ends before a ${closing} that is missing.`)
  if (text[at] !== ',') throw new Mistake(at, `a comma or ${closing} is missing before ${shown(text, at)}.`)
  const next = skipSpace(text, at + 1)
  if (text[next] === closing) throw new Mistake(at, `there is a comma too many before the ${closing}.`)
  return next
}

function readString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === '"') return at + 1
    if (character === '\n') break
    if (character < ' ') throw new Mistake(at, 'a text has a control character in it; a tab is written \\t.')
    if (character === '\\') {
      const escape = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.exec(text.slice(at, at + 6))?.[0]
      if (escape === undefined) {
        throw new Mistake(at, `${text.slice(at, at + 2)} is no escape; a backslash itself is written \\\\.`)
      }
      at += escape.length
    } else at += 1
  }
  throw new Mistake(start, 'this text has no end on its line; a line break inside of it is written \\n.')
}

const wholeWord = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

function readWord(text: string, at: number): number {
  if (at >= text.length) throw new Mistake(text.length, 'the text ends where a value is missing.')
  const word = wordAt(text, at)
  if (wholeWord.test(word)) return at + word.length
  const first = text[at] ?? ''
  if (',}]:'.includes(first)) throw new Mistake(at, `a value is missing before ${first}.`)
  if (first === '/') throw new Mistake(at, 'JSON has no comments.')
  throw new Mistake(at, `${shown(text, at)} is no value; texts stand in double quotes.`)
}

function nameMissing(text: string, at: number): string {
  if (at >= text.length) return 'the text ends before a } that is missing.'
  if (text[at] === ',') return 'there is a comma too many.'
  if (text[at] === '/') return 'JSON has no comments.'
  return `the name of a field, in double quotes, is missing before ${shown(text, at)}.`
}

function shown(text: string, at: number): string {
  const word = wordAt(text, at)
  return word.length > 24 ? `${word.slice(0, 24)}…` : word
}

function wordAt(text: string, at: number): string {
  const word = /^[^\s,:[\]{}]+/.exec(text.slice(at, at + 400))?.[0]
  return word ?? text.slice(at, at + 1)
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (' \n\r\t'.includes(text[at] ?? 'x')) at += 1
  return at
}
