import { isSameJson, type Json, type JsonObject } from '../../document/json.ts'
import type { Shape } from './shape.ts'

/** How a value is written into a field of text, and what such a text says. Whatever is typed is kept: as text where it says nothing else. */
export interface Writing {
  readonly show: (value: Json | undefined) => string
  /** Undefined for nothing at all. */
  readonly read: (text: string) => Json | undefined
}

/** Plain text. One that is needed stays when it is emptied, to be told so. */
export function textWriting(isRequired: boolean): Writing {
  return {
    show: (value) => (typeof value === 'string' ? value : ''),
    read: (text) => (text === '' && !isRequired ? undefined : text),
  }
}

/** A number, a truth or a text, whichever the field takes. Quotes make a text of what would be something else. */
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

/** JSON where it is JSON, a text where it is not. */
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

/** As it is where that is read as the same again, else as JSON. */
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

/** One entry on each line. */
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

/** A comparison that was written out, in its parts: `analysis.score < 70`. What is none becomes the field, so that it is not lost. */
export function readComparison(text: string): JsonObject {
  const [, field, operator, rest = ''] =
    /^\s*([^\s<>=!]+)\s*(>=|<=|==|!=|<|>|contains|exists|matches|in)\s*(.*?)\s*$/.exec(text) ?? []
  if (field === undefined || operator === undefined) return { field: text.trim(), operator: '==' }
  const quoted = /^'(.*)'$/.exec(rest)?.[1]
  const value = quoted ?? jsonWriting.read(rest)
  return value === undefined ? { field, operator } : { field, operator, value }
}
