import { jsonLanguage } from '@codemirror/lang-json'
import { Text } from '@codemirror/state'
import { type DraftDefinition, readDefinition } from '../document/flow-document.ts'
import type { Json } from '../document/json.ts'
import { findJsonMistake } from './find-json-mistake.ts'
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
