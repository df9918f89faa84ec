import type { EditorView } from '@codemirror/view'
import { useMemo, useState } from 'react'
import { smallestChange } from '../../../editing/smallest-change.ts'
import { replaceDefinition } from '../document/edits.ts'
import type { DraftDefinition } from '../document/flow-document.ts'
import { useEditing } from '../use-flow-editor.ts'
import { readCode, writeCode } from './read-code.ts'

/** The flow as text, and the text as the flow. */
export function useCode() {
  const { editor, state } = useEditing()
  const { document, unread } = state
  const { definition } = document
  // As somebody wrote each version, so that undo brings back their text and not only its meaning.
  const [written] = useState(() => new WeakMap<DraftDefinition, string>())
  const lastRead = written.get(definition) ?? writeCode(definition)
  const text = unread?.text ?? lastRead
  const mistake = useMemo(() => {
    const read = unread === null ? null : readCode(unread.text)
    return read !== null && 'mistake' in read ? read.mistake : null
  }, [unread])

  /** Takes what was typed: it changes the flow, or is kept until it can be read. */
  function type(typed: string): void {
    const { document: present, unread: before } = editor.read()
    const read = readCode(typed)
    if ('mistake' in read) {
      const over = before?.over ?? present.definition
      editor.keepUnread({ text: typed, problem: read.mistake.problem, over })
      return
    }
    if (JSON.stringify(read.definition) === JSON.stringify(present.definition)) {
      written.set(present.definition, typed)
    } else {
      written.set(read.definition, typed)
      editor.change({ what: 'what was typed as code', group: 'code' }, (it) =>
        replaceDefinition(it, read.definition),
      )
    }
    editor.keepUnread(null)
  }

  return {
    text,
    mistake,
    type,
    /** Whether the flow was changed elsewhere while the text could not be read. */
    isOvertaken: unread !== null && unread.over !== definition,
    /** Writes the flow as everybody does; the text can be brought back by undo. */
    format: (view: EditorView) => put(view, writeCode(definition), 'input.format'),
    /** Goes back to the last text that could be read; the same holds. */
    discard: (view: EditorView) => put(view, lastRead, 'input.discard'),
  }
}

function put(view: EditorView, text: string, userEvent: string): void {
  const before = view.state.doc.toString()
  if (before !== text) view.dispatch({ changes: smallestChange(before, text), userEvent })
}
