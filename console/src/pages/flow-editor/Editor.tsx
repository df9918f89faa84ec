import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react'
import { useAnnouncer } from '../../editing/use-announcer.tsx'
import frame from '../../editing/work-frame.module.css'
import styles from './Editor.module.css'
import { EditorBar } from './EditorBar.tsx'
import type { EditorView } from './editor-search.ts'
import { Panel } from './form/Panel.tsx'
import { useEditorKeys } from './keys/use-editor-keys.ts'
import type { Origin } from './origin.ts'
import { Palette } from './palette/Palette.tsx'
import { ProblemList } from './problems/ProblemList.tsx'
import { useValidation } from './problems/use-validation.ts'
import { DraftNotice } from './save/DraftNotice.tsx'
import { LeaveGuard } from './save/LeaveGuard.tsx'
import { useDraft } from './save/use-draft.ts'
import { TryPanel } from './try/TryPanel.tsx'
import { useTryRun } from './try/use-try-run.ts'
import { EditingContext } from './use-flow-editor.ts'

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
  // Whoever is led to a field must see it, also where there is no room for both.
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
