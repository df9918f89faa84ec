import { jsonLanguage } from '@codemirror/lang-json'
import { Text } from '@codemirror/state'
import { type DraftDefinition, readDefinition } from '../document/flow-document.ts'
import type { Json } from '../document/json.ts'
import { findPlace, type Range } from './json-tree.ts'

/** Why code is no flow that could be edited as steps. */
export interface CodeMistake extends Range {
  readonly message: string
  /** The same with the line, for where the text is not seen. */
  readonly problem: string
}

/** What code says: a flow, right or wrong, or why it is none. */
export function readCode(
  text: string,
): { readonly definition: DraftDefinition } | { readonly mistake: CodeMistake } {
  const mistake = findJsonMistake(text)
  if (mistake !== undefined) {
    const from = Math.min(mistake.at, Math.max(0, text.length - 1))
    return { mistake: mistakeAt(text, { from, to: Math.min(from + 1, text.length) }, mistake.message) }
  }
  const read = readDefinition(JSON.parse(text) as Json)
  if (!isProblem(read)) return { definition: read }
  const { problem } = read
  const path = /^(?:steps\[\d+\](?:\.\w+)?|steps|id|label)(?= |:)/.exec(problem)?.[0] ?? ''
  const code = { tree: jsonLanguage.parser.parse(text), doc: Text.of(text.split('\n')) }
  return { mistake: mistakeAt(text, findPlace(code, path), problem) }
}

/** A definition may have a field of any name, but not without steps. */
function isProblem(read: ReturnType<typeof readDefinition>): read is { readonly problem: string } {
  return !('steps' in read)
}

function mistakeAt(text: string, { from, to }: Range, message: string): CodeMistake {
  const line = text.slice(0, from).split('\n').length
  return { from, to, message, problem: `Line ${line}: ${message}` }
}

/** A flow as code, as everybody writes it. */
export function writeCode(definition: DraftDefinition): string {
  return JSON.stringify(definition, null, 2)
}

/** What keeps a text from being JSON, and where. */
interface JsonMistake {
  readonly at: number
  /** Ends a sentence that begins with the line. */
  readonly message: string
}

/** As deep as the platform takes it. */
const maxLevels = 200

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
  if (after < text.length) throw new Mistake(after, 'unexpected text after the end of the flow.')
}

/** Each of these reads from a place and gives the place after it. */
function readValue(text: string, at: number, level: number): number {
  if (level > maxLevels) throw new Mistake(at, `nested more than ${maxLevels} levels deep.`)
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
    if (names.has(name)) throw new Mistake(at, `"${name}" appears twice in one object.`)
    names.add(name)
    const colon = skipSpace(text, end)
    if (text[colon] !== ':') throw new Mistake(end, `missing colon after "${name}".`)
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
  if (at >= text.length) throw new Mistake(text.length, `missing ${closing} at the end of the text.`)
  if (text[at] !== ',') throw new Mistake(at, `missing comma or ${closing} before ${shown(text, at)}.`)
  const next = skipSpace(text, at + 1)
  if (text[next] === closing) throw new Mistake(at, `extra comma before the ${closing}.`)
  return next
}

function readString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === '"') return at + 1
    if (character === '\n') break
    if (character < ' ') throw new Mistake(at, 'control character in a string; write a tab as \\t.')
    if (character === '\\') {
      const escape = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.exec(text.slice(at, at + 6))?.[0]
      if (escape === undefined) {
        throw new Mistake(at, `${text.slice(at, at + 2)} is not a valid escape; write a backslash as \\\\.`)
      }
      at += escape.length
    } else at += 1
  }
  throw new Mistake(start, 'unterminated string; write a line break as \\n.')
}

const wholeWord = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

function readWord(text: string, at: number): number {
  if (at >= text.length) throw new Mistake(text.length, 'missing value at the end of the text.')
  const word = wordAt(text, at)
  if (wholeWord.test(word)) return at + word.length
  const first = text[at] ?? ''
  if (',}]:'.includes(first)) throw new Mistake(at, `missing value before ${first}.`)
  if (first === '/') throw new Mistake(at, 'comments are not allowed in JSON.')
  throw new Mistake(at, `${shown(text, at)} is not a value; put strings in double quotes.`)
}

function nameMissing(text: string, at: number): string {
  if (at >= text.length) return 'missing } at the end of the text.'
  if (text[at] === ',') return 'extra comma.'
  if (text[at] === '/') return 'comments are not allowed in JSON.'
  return `missing field name in double quotes before ${shown(text, at)}.`
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
