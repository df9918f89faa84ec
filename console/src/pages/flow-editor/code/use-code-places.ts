import { EditorView } from '@codemirror/view'
import { type RefObject, useEffect, useRef } from 'react'
import { useEditing } from '../use-flow-editor.ts'
import { codeIn } from './code-in.ts'
import { findPlace, stepAt } from './json-tree.ts'
import type { CodeMistake } from './read-code.ts'

/** Shows in the code what is selected elsewhere, and goes to the places that are asked for. */
export function useCodePlaces(shown: RefObject<EditorView | null>, mistake: CodeMistake | null): void {
  const { editor, state } = useEditing()
  const { selected, askedInCode, document } = state
  const { steps } = document.definition

  useEffect(() => editor.showCode(), [editor])

  const answered = useRef(askedInCode?.count ?? 0)
  useEffect(() => {
    const view = shown.current
    if (view === null || askedInCode === null || askedInCode.count === answered.current) return
    answered.current = askedInCode.count
    const { path } = askedInCode
    goTo(view, path === '' && mistake !== null ? mistake.from : insideOf(view, path))
    view.focus()
  }, [shown, askedInCode, mistake])

  useEffect(() => {
    const view = shown.current
    const [id] = selected
    if (view === null || id === undefined || selected.length > 1) return
    if (stepAt(codeIn(view.state), view.state.selection.main.head) === id) return
    const index = steps.findIndex((step) => step.id === id)
    goTo(view, findPlace(codeIn(view.state), `steps[${index}]`).from + 1)
  }, [shown, selected, steps])
}

/** In quotes, behind the first of them. */
function insideOf(view: EditorView, path: string): number {
  const { from } = findPlace(codeIn(view.state), path)
  return /["[{]/.test(view.state.sliceDoc(from, from + 1)) ? from + 1 : from
}

function goTo(view: EditorView, at: number): void {
  view.dispatch({
    selection: { anchor: at },
    effects: EditorView.scrollIntoView(at, { y: 'center' }),
  })
}
