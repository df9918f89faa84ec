import { isSameJson, type Json, type JsonObject } from '../../document/json.ts'
import type { Shape } from './shape.ts'

/**
 * Formats a value as the text of a field, and parses that text. All typed text is kept: as a string where it does not
 * parse.
 */
export interface Writing {
  readonly show: (value: Json | undefined) => string
  /** Undefined for an empty text. */
  readonly read: (text: string) => Json | undefined
}

/** Plain text. An emptied required text stays as '', so that the server reports it. */
export function textWriting(isRequired: boolean): Writing {
  return {
    show: (value) => (typeof value === 'string' ? value : ''),
    read: (text) => (text === '' && !isRequired ? undefined : text),
  }
}

/** A number, a boolean or a text, depending on the field. Quotes force a text. */
export function scalarWriting(kinds: ReadonlySet<Shape['kind']>, isRequired = false): Writing {
  const read = (text: string): Json | undefined => {
    const word = text.trim()
    if (word === '') return isRequired ? '' : undefined
    if (kinds.has('flag') && (word === 'true' || word === 'false')) return word === 'true'
    if (kinds.has('number') && isNumber(word)) return Number(word)
    return kinds.has('text') ? (quotedIn(word) ?? text) : text
  }
  return { read, show: (value) => shownAs(value, read) }
}

/** Valid JSON is parsed; other text is a string. */
export const jsonWriting: Writing = {
  read: readJson,
  show: (value) => shownAs(value, readJson),
}

function readJson(text: string): Json | undefined {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** The plain text where it parses to the same value, else JSON. */
function shownAs(value: Json | undefined, read: Writing['read']): string {
  if (value === undefined) return ''
  if (typeof value === 'string' && isSameJson(read(value), value)) return value
  return JSON.stringify(value, null, 2)
}

function isNumber(word: string): boolean {
  return /^-?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(word) && Number.isFinite(Number(word))
}

function quotedIn(word: string): string | undefined {
  if (!/^".*"$/.test(word)) return undefined
  const value = readJson(word)
  return typeof value === 'string' ? value : undefined
}

/** One entry per line. */
export function linesWriting(entry: Writing): Writing {
  return {
    show: (value) =>
      Array.isArray(value) ? (value as readonly Json[]).map((one) => entry.show(one)).join('\n') : '',
    read(text) {
      const entries = text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .map((line) => entry.read(line) ?? line)
      return entries.length === 0 ? undefined : entries
    },
  }
}

/** The JSON type of a parsed text. */
export function describeKind(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  const words = { string: 'text', number: 'a number', boolean: 'a boolean', object: 'an object' }
  return words[typeof value as keyof typeof words]
}

/**
 * The parts of a comparison such as `analysis.score < 70`. An unparsable text becomes the field, so that it is not
 * lost.
 */
export function readComparison(text: string): JsonObject {
  const [, field, operator, rest = ''] =
    /^\s*([^\s<>=!]+)\s*(>=|<=|==|!=|<|>|contains|exists|matches|in)\s*(.*?)\s*$/.exec(text) ?? []
  if (field === undefined || operator === undefined) return { field: text.trim(), operator: '==' }
  const quoted = /^'(.*)'$/.exec(rest)?.[1]
  const value = quoted ?? jsonWriting.read(rest)
  return value === undefined ? { field, operator } : { field, operator, value }
}
