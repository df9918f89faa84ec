import { jsonLanguage } from '@codemirror/lang-json'
import type { Diagnostic } from '@codemirror/lint'
import { Text } from '@codemirror/state'
import { type DraftDefinition, readDefinition } from '../document/flow-document.ts'
import type { Json } from '../document/json.ts'
import type { FlowProblem } from '../problems/problem.ts'
import { unreadableCode } from '../problems/validation.ts'
import { type Code, findPlace, type JsonNode, type Range } from './json-tree.ts'

/** Why the code is not a flow that can be edited as steps. */
export interface CodeMistake extends Range {
  readonly message: string
  /** The message with its line, for views that do not show the text. */
  readonly problem: string
}

/** Parses code: a definition, valid or not, or the mistake that keeps it from being one. */
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

/** A definition may have a field named `problem`, but always has steps. */
function isProblem(read: ReturnType<typeof readDefinition>): read is { readonly problem: string } {
  return !('steps' in read)
}

function mistakeAt(text: string, { from, to }: Range, message: string): CodeMistake {
  const line = text.slice(0, from).split('\n').length
  return { from, to, message, problem: `Line ${line}: ${message}` }
}

/** A flow as code with two spaces of indentation. */
export function writeCode(definition: DraftDefinition): string {
  return JSON.stringify(definition, null, 2)
}

/** The first syntax error of a JSON text. */
interface JsonMistake {
  readonly at: number
  /** Completes a sentence that starts with the line. */
  readonly message: string
}

/** The maximum nesting the server accepts. */
const maxLevels = 200

/**
 * The first syntax error of a text, from the parser of the code view, with the same message in every browser. A name that
 * appears twice in one object is an error too: only the last value would be kept.
 */
export function findJsonMistake(text: string): JsonMistake | undefined {
  let mistake: JsonMistake | undefined
  const namesByObject: Set<string>[] = []
  let level = 0
  jsonLanguage.parser.parse(text).iterate({
    enter({ type, node, name, from, to }) {
      if (mistake !== undefined) return false
      if (type.isError) mistake = describeError(text, node)
      // Brackets and commas are nodes too; only values count.
      else if (level > maxLevels && /^[A-Z]/.test(name))
        mistake = { at: from, message: `nested more than ${maxLevels} levels deep.` }
      else if (name === 'PropertyName') {
        const written = text.slice(from + 1, to - 1)
        const names = namesByObject.at(-1)
        if (names?.has(written)) mistake = { at: from, message: `"${written}" appears twice in one object.` }
        names?.add(written)
      } else if (name === 'Object' || name === 'Array') {
        level += 1
        namesByObject.push(new Set())
      }
      return mistake === undefined
    },
    leave({ name }) {
      if (name !== 'Object' && name !== 'Array') return
      level -= 1
      namesByObject.pop()
    },
  })
  return mistake
}

/** Describes an error node from its neighbours in the tree, which show what the parser expected. */
function describeError(text: string, { from, parent, prevSibling: previous }: JsonNode): JsonMistake {
  const at = from + (text.slice(from).length - text.slice(from).trimStart().length)
  const first = text[at] ?? ''
  const closing = parent?.name === 'Array' ? ']' : '}'
  const isAfterValue = previous !== null && !['{', '[', ',', ':', 'PropertyName', '⚠'].includes(previous.name)
  if (previous?.name === 'PropertyName') {
    return { at: previous.to, message: `missing colon after ${text.slice(previous.from, previous.to)}.` }
  }
  if (first === '') {
    const isValueMissing = parent?.name === 'JsonText' || previous?.name === ':'
    const isItemMissing = parent?.name === 'Array' && !isAfterValue
    return {
      at,
      message: `missing ${isValueMissing || isItemMissing ? 'value' : closing} at the end of the text.`,
    }
  }
  if (first === '/') return { at, message: 'comments are not allowed in JSON.' }
  if (previous?.name === ',' && first === closing) {
    return { at: previous.from, message: `extra comma before the ${closing}.` }
  }
  const string = first === '"' ? describeString(text, at) : undefined
  if (string !== undefined) return string
  const start = wordStart(text, at)
  if (start < at) return notAValue(text, start)
  if (isAfterValue) {
    return parent?.name === 'JsonText'
      ? { at, message: 'unexpected text after the end of the workflow.' }
      : { at, message: `missing comma or ${closing} before ${shown(text, at)}.` }
  }
  if (first === ',' && previous?.name !== ':') return { at, message: 'extra comma.' }
  if (parent?.name === 'Object' && previous !== null) {
    return { at, message: `missing field name in double quotes before ${shown(text, at)}.` }
  }
  return ',}]:'.includes(first) ? { at, message: `missing value before ${first}.` } : notAValue(text, at)
}

/** Describes the error of a string; undefined for a valid one. */
function describeString(text: string, start: number): JsonMistake | undefined {
  const valid = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy
  valid.lastIndex = start
  const at = start + (valid.exec(text)?.[0].length ?? 0)
  const next = text[at]
  if (next === '"') return undefined
  if (next === undefined || next === '\n') {
    return { at: start, message: 'unterminated string; write a line break as \\n.' }
  }
  return next === '\\'
    ? { at, message: `${text.slice(at, at + 2)} is not a valid escape; write a backslash as \\\\.` }
    : { at, message: 'control character in a string; write a tab as \\t.' }
}

function notAValue(text: string, at: number): JsonMistake {
  return { at, message: `${shown(text, at)} is not a value; put strings in double quotes.` }
}

/** Where a word starts whose first characters are a value, such as `01` or `truex`. */
function wordStart(text: string, at: number): number {
  if (!/[\w.+-]/.test(text[at] ?? '')) return at
  return at - (/[\w.+-]*$/.exec(text.slice(Math.max(0, at - 400), at))?.[0].length ?? 0)
}

function shown(text: string, at: number): string {
  const word = /^[^\s,:[\]{}]+/.exec(text.slice(at, at + 400))?.[0] ?? text.slice(at, at + 1)
  return word.length > 24 ? `${word.slice(0, 24)}…` : word
}

/** The diagnostics of the code: its syntax error, and the server's problems of the last valid flow. */
export function diagnose(
  code: Code,
  problems: readonly FlowProblem[],
  mistake: CodeMistake | null,
): readonly Diagnostic[] {
  const marks = problems
    // The code does not contain the metadata.
    .filter(({ path, code: name }) => name !== unreadableCode && !/^metadata\b/.test(path))
    .map(({ severity, path, message }) => ({
      ...findPlace(code, path),
      severity,
      message: path === '' ? message : `${path} ${message}`,
    }))
  const own = mistake === null ? [] : [{ ...mistake, severity: 'error' as const }]
  return [...own, ...marks].toSorted((left, right) => left.from - right.from)
}
