import { setDiagnostics } from '@codemirror/lint'
import { EditorView } from '@codemirror/view'
import { Button } from '@mantine/core'
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { CodeMirror } from '../../../editing/CodeMirror.tsx'
import { smallestChange } from '../../../editing/smallest-change.ts'
import { CopyButton } from '../../../parts/CopyButton.tsx'
import { Status } from '../../../parts/Status.tsx'
import { replaceDefinition } from '../document/edits.ts'
import { type DraftDefinition, stepIn } from '../document/flow-document.ts'
import { placeOfStep } from '../document/scopes.ts'
import type { Known } from '../form/paths/suggestions.ts'
import { useEditing } from '../use-flow-editor.ts'
import styles from './CodeView.module.css'
import { createCodeExtensions } from './code-extensions.ts'
import { codeIn, findPlace, stepAt } from './json-tree.ts'
import { type CodeMistake, diagnose, readCode, writeCode } from './read-code.ts'

/** The definition as JSON. Invalid text is kept until it is valid. */
export function CodeView() {
  const { editor, state, problems, announce } = useEditing()
  const { definition } = state.document
  const { text, mistake, isOvertaken, type, format, discard } = useCode()
  const view = useRef<EditorView>(null)
  const words = useId()
  const known = useKnown()
  const [{ extensions, forgetUndo }] = useState(() =>
    createCodeExtensions({
      read: () => known.current,
      onStep: (id) => {
        const isKnown = id !== undefined && stepIn(editor.read().document, id) !== undefined
        editor.select(isKnown ? [id] : [])
      },
    }),
  )

  const flow = useRef(definition)
  useEffect(() => {
    if (flow.current === definition) return
    flow.current = definition
    // Text that does not parse is not the current flow.
    if (view.current !== null && editor.read().unread === null) forgetUndo(view.current)
  }, [editor, definition, forgetUndo])

  useEffect(() => {
    const shown = view.current
    // The diagnostics have positions in this text and in no other.
    if (shown === null || shown.state.doc.toString() !== text) return
    shown.dispatch(setDiagnostics(shown.state, [...diagnose(codeIn(shown.state), problems, mistake)]))
  }, [text, problems, mistake])

  useCodePlaces(view, mistake)

  return (
    <div className={styles['code']}>
      <div className={styles['tools']}>
        <div id={words} className={styles['state']}>
          {mistake === null ? (
            <span>The definition, without its metadata.</span>
          ) : (
            <>
              <Status tone="bad" word={mistake.problem} title={mistake.problem} />
              <span className={styles['note']}>
                {isOvertaken
                  ? 'The workflow was changed elsewhere since. Once this text is valid, it replaces that change.'
                  : 'The other views show the last valid version.'}
              </span>
            </>
          )}
        </div>
        {mistake === null ? (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              if (view.current !== null) format(view.current)
              announce('Formatted.')
            }}
          >
            Format
          </Button>
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            title="Restores the last valid version. Undo brings this text back."
            onClick={() => {
              if (view.current !== null) discard(view.current)
              announce('The last valid version is restored.')
              view.current?.focus()
            }}
          >
            Discard changes
          </Button>
        )}
        <CopyButton text={text} what="the code" />
      </div>
      <CodeMirror
        value={text}
        onChange={type}
        extensions={extensions}
        label="Workflow definition"
        describedBy={words}
        isInvalid={mistake !== null}
        className={styles['text']}
        onView={(made) => {
          view.current = made
        }}
      />
    </div>
  )
}

/** The data that completion reads at the moment it is requested. */
function useKnown() {
  const { state, requiredInputs, sample, tried } = useEditing()
  const { document } = state
  const known = useRef<Known>({ document, requiredInputs, sample, outputs: new Map() })
  useEffect(() => {
    const outputs = new Map([...(tried?.steps ?? [])].map(([id, { output }]) => [id, output]))
    known.current = { document, requiredInputs, sample, outputs }
  }, [document, requiredInputs, sample, tried])
  return known
}

/** Shows the selection of other views in the code, and moves to requested paths. */
function useCodePlaces(shown: RefObject<EditorView | null>, mistake: CodeMistake | null): void {
  const { editor, state } = useEditing()
  const { selected, askedInCode, document } = state

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
    const place = placeOfStep(document, id)
    if (place !== undefined) goTo(view, findPlace(codeIn(view.state), place.path).from + 1)
  }, [shown, selected, document])
}

/** The position inside the quotes of a string. */
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

/** Converts between the flow and its text. */
function useCode() {
  const { editor, state } = useEditing()
  const { document, unread } = state
  const { definition } = document
  // Each version keeps the text as typed, so that undo restores the text and not only its meaning.
  const [written] = useState(() => new WeakMap<DraftDefinition, string>())
  const lastRead = written.get(definition) ?? writeCode(definition)
  const text = unread?.text ?? lastRead
  const mistake = useMemo(() => {
    const read = unread === null ? null : readCode(unread.text)
    return read !== null && 'mistake' in read ? read.mistake : null
  }, [unread])

  /** Applies typed text: valid text changes the flow, invalid text is kept aside. */
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
      editor.change({ what: 'code changes', group: 'code' }, (it) => replaceDefinition(it, read.definition))
    }
    editor.keepUnread(null)
  }

  return {
    text,
    mistake,
    type,
    /** Whether another view changed the flow while the text was invalid. */
    isOvertaken: unread !== null && unread.over !== definition,
    /** Formats the flow with the standard indentation; undo restores the text. */
    format: (view: EditorView) => put(view, writeCode(definition), 'input.format'),
    /** Returns to the last valid text; undo restores the typed one. */
    discard: (view: EditorView) => put(view, lastRead, 'input.discard'),
  }
}

function put(view: EditorView, text: string, userEvent: string): void {
  const before = view.state.doc.toString()
  if (before !== text) view.dispatch({ changes: smallestChange(before, text), userEvent })
}
