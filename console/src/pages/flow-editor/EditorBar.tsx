import '../../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import { Link } from '@tanstack/react-router'
import { UndoButtons } from '../../editing/UndoButtons.tsx'
import frame from '../../editing/work-frame.module.css'
import { Status } from '../../parts/Status.tsx'
import styles from './Editor.module.css'
import type { EditorView } from './editor-search.ts'
import { redoAndTell, undoAndTell } from './keys/back-and-forth.ts'
import { KeyHelp } from './keys/KeyHelp.tsx'
import type { Origin } from './origin.ts'
import { Estimate } from './problems/Estimate.tsx'
import type { Validation } from './problems/use-validation.ts'
import { SaveFlow } from './save/SaveFlow.tsx'
import { TryIt } from './try/TryIt.tsx'
import type { Trying } from './try/use-try-run.ts'
import { useEditing } from './use-flow-editor.ts'

interface EditorBarProps {
  readonly origin: Origin
  readonly view: EditorView
  readonly onView: (view: EditorView) => void
  /** Which of both is seen where there is no room for both. */
  readonly part: 'flow' | 'form'
  readonly onPart: (part: 'flow' | 'form') => void
  readonly validation: Validation
  readonly tryRun: Trying
  readonly onSaved: (saved: Origin) => void
}

/** What can be done with the flow as a whole. */
export function EditorBar(props: EditorBarProps) {
  const { origin, view, onView, part, onPart, validation, tryRun, onSaved } = props
  const editing = useEditing()
  const { state } = editing
  const { document } = state
  const title = document.definition.label.trim() || 'New flow'
  return (
    <div className={frame['bar']}>
      <title>{`${title} · Editor · Tutti`}</title>
      {origin.flow === null ? (
        <Link className={frame['back']} to="/flows" aria-label="Back to the flows" title="Back to the flows">
          <IconArrowLeft size={16} aria-hidden />
        </Link>
      ) : (
        <Link
          className={frame['back']}
          to="/flows/$flow"
          params={{ flow: origin.flow }}
          aria-label="Back to the flow"
          title="Back to the flow"
        >
          <IconArrowLeft size={16} aria-hidden />
        </Link>
      )}
      <h1 tabIndex={-1}>{title}</h1>
      <div className={frame['state']}>
        <Status
          tone="idle"
          word={
            state.isChanged ? 'Not saved' : origin.revision === null ? 'New' : `Version ${origin.revision}`
          }
        />
        <Estimate validation={validation} />
      </div>
      <SegmentedControl
        size="xs"
        aria-label="How the flow is shown"
        data={[
          { value: 'canvas', label: 'Canvas' },
          { value: 'list', label: 'List' },
          { value: 'code', label: 'Code' },
        ]}
        value={view}
        onChange={onView}
      />
      <SegmentedControl
        className={styles['parts'] ?? ''}
        size="xs"
        aria-label="What is shown"
        data={[
          { value: 'flow', label: 'Flow' },
          { value: 'form', label: 'Form' },
        ]}
        value={part}
        onChange={(wanted) => onPart(wanted === 'form' ? 'form' : 'flow')}
      />
      <div className={frame['ways']}>
        <UndoButtons
          undoes={state.undoes}
          redoes={state.redoes}
          onUndo={() => undoAndTell(editing)}
          onRedo={() => redoAndTell(editing)}
        />
        <KeyHelp />
        <TryIt validation={validation} tryRun={tryRun} />
        <SaveFlow origin={origin} validation={validation} onSaved={onSaved} />
      </div>
    </div>
  )
}
