import { useMemo, useState, useSyncExternalStore } from 'react'
import { useAnnouncer } from '../../editing/use-announcer.tsx'
import frame from '../../editing/work-frame.module.css'
import styles from './Editor.module.css'
import type { EditorSearch, EditorView } from './editor-search.ts'
import { FlowView } from './FlowView.tsx'
import { Panel } from './form/Panel.tsx'
import { useEditorKeys } from './keys/use-editor-keys.ts'
import type { Origin } from './origin.ts'
import { Palette } from './palette/Palette.tsx'
import { ProblemList } from './problems/ProblemList.tsx'
import { useValidation, type Validation } from './problems/use-validation.ts'
import { type Draft, useDraft } from './save/use-draft.ts'
import { useScopeInAddress } from './scope-ways.ts'
import { TryPanel } from './try/TryPanel.tsx'
import { type Trying, useTryRun } from './try/use-try-run.ts'
import { EditingContext, useEditing } from './use-flow-editor.ts'
import '../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { Link, useBlocker } from '@tanstack/react-router'
import { UndoButtons } from '../../editing/UndoButtons.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { Status } from '../../parts/Status.tsx'
import { Keys } from '../../shell/Keys.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { redoAndTell, undoAndTell } from './keys/back-and-forth.ts'
import { Flyout } from './palette/Flyout.tsx'
import { describeEstimate, describeSources } from './problems/describe-estimate.ts'
import { Dialog, DialogFoot, DialogText } from './save/Dialog.tsx'
import { SaveFlow } from './save/SaveFlow.tsx'

interface EditorProps {
  /** The account that drafts and samples are stored for. */
  readonly account: string
  /** Creates the initial flow; called once. */
  readonly begin: () => Origin
  /** Called after a new flow was saved for the first time. */
  readonly onMade?: (flow: string) => void
  readonly address: EditorSearch
  /** Changes parts of the address. */
  readonly onAddress: (change: EditorSearch) => void
}

/** A flow as canvas, list or code, with a form for the selection. */
export function Editor({ account, begin, onMade, address, onAddress }: EditorProps) {
  const { view = 'canvas' } = address
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
  useScopeInAddress(editor, address, (scope) => onAddress({ in: scope ?? undefined }))
  const [part, setPart] = useState<'flow' | 'form'>('flow')
  // A focused field must be visible, also on screens where only one pane fits.
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
          onView={(wanted) => onAddress({ view: wanted })}
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
            <FlowView view={view} />
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
  /** The visible pane where only one fits. */
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
  const title = document.definition.label.trim() || 'New workflow'
  return (
    <div className={frame['bar']}>
      <title>{`${title} · Editor · Tutti`}</title>
      {origin.flow === null ? (
        <Link
          className={frame['back']}
          to="/workflows"
          aria-label="Back to workflows"
          title="Back to workflows"
        >
          <IconArrowLeft size={16} aria-hidden />
        </Link>
      ) : (
        <Link
          className={frame['back']}
          to="/workflows/$flow"
          params={{ flow: origin.flow }}
          aria-label="Back to workflow"
          title="Back to workflow"
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
          { value: 'flow', label: 'Workflow' },
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

const unknown = {
  text: 'No estimate yet',
  sources: 'Cost and time are estimated once the workflow has steps and no errors.',
}

/** The estimated cost and duration of one execution. */
function Estimate({ validation: { estimate } }: { validation: Validation }) {
  const { text, sources } =
    estimate === null ? unknown : { text: describeEstimate(estimate), sources: describeSources(estimate) }
  return (
    <span className={styles['estimate']} title={sources}>
      {text}
      <span className={styles['sources']}> ({sources})</span>
    </span>
  )
}

interface TryItProps {
  readonly validation: Validation
  readonly tryRun: Trying
}

/** Opens and closes the test run panel. */
function TryIt({ tryRun: { isOpen, open, close } }: TryItProps) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconPlayerPlay size={14} aria-hidden />}
      aria-expanded={isOpen}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      title="Run the workflow without saving it"
      // While the panel is open, the shortcut presses its Run button instead of this one.
      {...(isOpen ? {} : { 'data-try': true })}
      onClick={isOpen ? close : open}
    >
      Test run
    </Button>
  )
}

const shortcuts = [
  { keys: 'mod+z', about: 'Undo' },
  { keys: 'mod+Shift+z', about: 'Redo' },
  { keys: 'mod+c', about: 'Copy the selected steps' },
  { keys: 'mod+x', about: 'Cut them' },
  { keys: 'mod+v', about: 'Paste steps, also from another workflow' },
  { keys: 'mod+d', about: 'Duplicate them' },
  { keys: 'Del', about: 'Remove them' },
  { keys: 'mod+a', about: 'Select all steps' },
  { keys: 'Shift+Enter', about: 'Open the steps of a container' },
  { keys: 'Esc', about: 'Clear selection, then leave the container' },
  { keys: 'mod+Enter', about: 'Test run' },
  { keys: 'mod+s', about: 'Save' },
  { keys: 'F8', about: 'Go to the next problem' },
  { keys: 'Up+Down', about: 'List: previous or next step' },
  { keys: 'Shift+Down', about: 'List: extend selection' },
  { keys: 'Alt+Down', about: 'List: move the step' },
  { keys: 'Arrows', about: 'Canvas: move the step' },
]

function KeyHelp() {
  return (
    <Flyout
      aria-label="Editor shortcuts"
      icon={IconKeyboard}
      width={320}
      renderContent={() => (
        // The list is longer than a small window: the keyboard must be able to scroll it.
        <div tabIndex={0} role="region" aria-label="Shortcuts">
          <dl className={styles['keys']}>
            {shortcuts.map(({ keys, about }) => (
              <div key={keys}>
                <dt>{about}</dt>
                <dd>
                  <Keys keys={keys} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    />
  )
}

/** Blocks navigation to other pages until the user decided about unsaved changes. */
function LeaveGuard({ draft }: { draft: Draft }) {
  const { editor, isKept, keepNow, forget } = draft
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      keepNow()
      return editor.read().isChanged && !isSamePage(current, next)
    },
    // A reopened window restores the stored draft, so the browser only asks when storing it failed.
    enableBeforeUnload: () => !keepNow() && editor.read().isChanged,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  const discard = () => {
    forget()
    proceed()
  }
  return (
    <Dialog title="Leave without saving?" onClose={reset}>
      <DialogText>
        {isKept
          ? 'Your changes are stored as a draft in this browser and restored when you open the editor again.'
          : 'This browser cannot store drafts. Your changes will be lost.'}
      </DialogText>
      <DialogFoot>
        <Button size="sm" variant="default" data-autofocus onClick={reset}>
          Stay
        </Button>
        <DangerButton kind="do" onClick={discard}>
          Leave and discard
        </DangerButton>
        {isKept ? (
          <Button size="sm" onClick={proceed}>
            Leave and keep draft
          </Button>
        ) : null}
      </DialogFoot>
    </Dialog>
  )
}

interface Place {
  readonly pathname: string
  readonly search: unknown
}

/** Switching the view of the flow stays on the page. */
function isSamePage(current: Place, next: Place): boolean {
  return current.pathname === next.pathname && fromOf(current) === fromOf(next)
}

function fromOf({ search }: Place): unknown {
  return typeof search === 'object' && search !== null && 'from' in search ? search.from : undefined
}

/** Reports a restored draft, and a browser that cannot store drafts. */
function DraftNotice({ draft }: { draft: Draft }) {
  const { state, announce } = useEditing()
  const [isSeen, setSeen] = useState(false)
  const { found, isKept } = draft
  if (!state.isChanged) return null
  if (!isKept) {
    return (
      <div className={styles['notice']} data-tone="warn" role="status">
        <IconAlertTriangleFilled size={16} aria-hidden />
        <p>This browser cannot store drafts: unsaved changes are lost when you close the window.</p>
      </div>
    )
  }
  if (found === null || isSeen) return null
  return (
    <section className={styles['notice']} aria-label="Draft">
      <IconHistory size={16} aria-hidden />
      <p>
        Your unsaved changes from <RelativeTime at={found.at.toISOString()} /> are restored.{' '}
        <SavedSince draft={draft} />
      </p>
      <div className={styles['ways']}>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            draft.discard()
            announce('The draft is discarded. Undo restores it.')
          }}
        >
          Discard
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => setSeen(true)}>
          Keep
        </Button>
      </div>
    </section>
  )
}

/** Reports that the draft is based on an older revision than the newest one. */
function SavedSince({ draft: { origin, newest } }: { draft: Draft }) {
  const { flow, revision } = origin
  if (flow === null || newest === null || revision === null || revision >= newest) return null
  return (
    <>
      They are based on version {revision}; version {newest} was saved since.{' '}
      <Link to="/workflows/$flow" params={{ flow }} search={{ tab: 'versions' }}>
        View versions
      </Link>
    </>
  )
}
