import { setDiagnostics } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import { Button } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import { CodeMirror } from '../../../editing/CodeMirror.tsx'
import { CopyButton } from '../../../parts/CopyButton.tsx'
import { Status } from '../../../parts/Status.tsx'
import { stepIn } from '../document/flow-document.ts'
import type { Known } from '../form/paths/suggestions.ts'
import { useEditing } from '../use-flow-editor.ts'
import styles from './CodeView.module.css'
import { createCodeExtensions } from './code-extensions.ts'
import { codeIn } from './code-in.ts'
import { diagnose } from './diagnose.ts'
import { useCode } from './use-code.ts'
import { useCodePlaces } from './use-code-places.ts'

/** The definition as JSON. Text that is no flow yet stays as it is until it is one. */
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
    // Text that is no flow is not this one, whoever changed it.
    if (view.current !== null && editor.read().unread === null) forgetUndo(view.current)
  }, [editor, definition, forgetUndo])

  useEffect(() => {
    const shown = view.current
    // The places are those of this text and of no other.
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
                  ? 'The flow was changed elsewhere since. Once this text can be read, it takes the place of that.'
                  : 'Everything else shows the last version that could be read.'}
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
            title="Goes back to the last version that could be read. Undo brings this text back."
            onClick={() => {
              if (view.current !== null) discard(view.current)
              announce('The last version that could be read is back.')
              view.current?.focus()
            }}
          >
            Discard this text
          </Button>
        )}
        <CopyButton text={text} what="the code" />
      </div>
      <CodeMirror
        value={text}
        onChange={type}
        extensions={extensions}
        label="Code of the flow"
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

/** What completing may look at, at the moment somebody asks. */
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
