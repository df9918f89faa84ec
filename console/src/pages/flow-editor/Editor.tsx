import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react'
import { useAnnouncer } from '../../editing/use-announcer.tsx'
import frame from '../../editing/work-frame.module.css'
import styles from './Editor.module.css'
import type { EditorView } from './editor-search.ts'
import { Panel } from './form/Panel.tsx'
import { useEditorKeys } from './keys/use-editor-keys.ts'
import type { Origin } from './origin.ts'
import { Palette } from './palette/Palette.tsx'
import { ProblemList } from './problems/ProblemList.tsx'
import { useValidation, type Validation } from './problems/use-validation.ts'
import { DraftNotice } from './save/DraftNotice.tsx'
import { LeaveGuard } from './save/LeaveGuard.tsx'
import { useDraft } from './save/use-draft.ts'
import { TryPanel } from './try/TryPanel.tsx'
import { type Trying, useTryRun } from './try/use-try-run.ts'
import { EditingContext, useEditing } from './use-flow-editor.ts'
import '../../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import { Link } from '@tanstack/react-router'
import { UndoButtons } from '../../editing/UndoButtons.tsx'
import { Status } from '../../parts/Status.tsx'
import { redoAndTell, undoAndTell } from './keys/back-and-forth.ts'
import { KeyHelp } from './keys/KeyHelp.tsx'
import { Estimate } from './problems/Estimate.tsx'
import { SaveFlow } from './save/SaveFlow.tsx'
import { TryIt } from './try/TryIt.tsx'

const Canvas = lazy(() => import('./canvas/Canvas.tsx').then(({ Canvas: it }) => ({ default: it })))
const StepList = lazy(() => import('./list/StepList.tsx').then(({ StepList: it }) => ({ default: it })))
const CodeView = lazy(() => import('./code/CodeView.tsx').then(({ CodeView: it }) => ({ default: it })))

interface EditorProps {
  /** Whose drafts and samples are kept. */
  readonly account: string
  /** What to begin with; asked once. */
  readonly begin: () => Origin
  /** Told when a new flow was saved for the first time. */
  readonly onMade?: (flow: string) => void
  readonly view: EditorView
  readonly onView: (view: EditorView) => void
}

/** A flow on a canvas, in a list or as code, with a form for whatever is selected. */
export function Editor({ account, begin, onMade, view, onView }: EditorProps) {
  const draft = useDraft(account, begin)
  const { editor, origin } = draft
  const validation = useValidation(editor)
  const tryRun = useTryRun(editor, { account, origin, requiredInputs: validation.requiredInputs })
  const { announce, region } = useAnnouncer()
  const { problems, requiredInputs } = validation
  const { tried, sample } = tryRun
  const editing = useMemo(
    () => ({ editor, problems, requiredInputs, sample, tried, announce }),
    [editor, problems, requiredInputs, sample, tried, announce],
  )
  useEditorKeys(editing)
  const [part, setPart] = useState<'flow' | 'form'>('flow')
  // A focused field must be visible, also where only one pane fits.
  const asked = useSyncExternalStore(editor.subscribe, () => editor.read().asked)
  const [followed, setFollowed] = useState(asked)
  if (asked !== followed) {
    setFollowed(asked)
    setPart('form')
  }

  return (
    <EditingContext value={editing}>
      <div className={frame['frame']} data-part={part}>
        <EditorBar
          origin={origin}
          view={view}
          onView={onView}
          part={part}
          onPart={setPart}
          validation={validation}
          tryRun={tryRun}
          onSaved={(saved) => {
            draft.platformHas(saved)
            if (origin.flow === null && saved.flow !== null) onMade?.(saved.flow)
          }}
        />
        <DraftNotice draft={draft} />
        <div className={styles['panes']}>
          <Palette />
          <div className={styles['flow']}>
            <Suspense>
              {view === 'canvas' ? <Canvas /> : view === 'list' ? <StepList /> : <CodeView />}
            </Suspense>
            <ProblemList validation={validation} />
          </div>
          <div className={styles['form']}>
            <Panel />
          </div>
          {tryRun.isOpen ? <TryPanel validation={validation} tryRun={tryRun} /> : null}
        </div>
      </div>
      <LeaveGuard draft={draft} />
      {region}
    </EditingContext>
  )
}

interface EditorBarProps {
  readonly origin: Origin
  readonly view: EditorView
  readonly onView: (view: EditorView) => void
  /** Which of both is seen where there is no space for both. */
  readonly part: 'flow' | 'form'
  readonly onPart: (part: 'flow' | 'form') => void
  readonly validation: Validation
  readonly tryRun: Trying
  readonly onSaved: (saved: Origin) => void
}

/** The actions of the whole flow. */
function EditorBar(props: EditorBarProps) {
  const { origin, view, onView, part, onPart, validation, tryRun, onSaved } = props
  const editing = useEditing()
  const { state } = editing
  const { document } = state
  const title = document.definition.label.trim() || 'New flow'
  return (
    <div className={frame['bar']}>
      <title>{`${title} · Editor · Tutti`}</title>
      {origin.flow === null ? (
        <Link className={frame['back']} to="/flows" aria-label="Back to flows" title="Back to flows">
          <IconArrowLeft size={16} aria-hidden />
        </Link>
      ) : (
        <Link
          className={frame['back']}
          to="/flows/$flow"
          params={{ flow: origin.flow }}
          aria-label="Back to flow"
          title="Back to flow"
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
        aria-label="Editor view"
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
        aria-label="Pane"
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
