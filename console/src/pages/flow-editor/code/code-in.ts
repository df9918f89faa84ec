import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { Code } from './json-tree.ts'

/** Longer than any flow takes; what is longer is known as far as it was read. */
const patienceMs = 200

/** The text of a view with the tree of all of it, not only of what is seen. */
export function codeIn(state: EditorState): Code {
  const { doc } = state
  return { doc, tree: ensureSyntaxTree(state, doc.length, patienceMs) ?? syntaxTree(state) }
}
