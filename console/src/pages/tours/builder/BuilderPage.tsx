import { Button } from '@mantine/core'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconPointer from '@tabler/icons-react/dist/esm/icons/IconPointer.mjs'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useBlocker } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { profileQuery } from '../../../api/queries.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { UndoButtons } from '../../../editing/UndoButtons.tsx'
import { useAnnouncer } from '../../../editing/use-announcer.tsx'
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx'
import { Status, type Tone } from '../../../parts/Status.tsx'
import { Keys } from '../../../shell/Keys.tsx'
import styles from './Builder.module.css'
import type { SaveState } from './document/autosave.ts'
import { selectorsOf } from './document/element-status.ts'
import { showsOn } from './document/place-step.ts'
import type { KeptTour } from './document/saved-tour.ts'
import { keptTour, type LoadedTour, playableTip, tourQuery } from './document/tour-calls.ts'
import type { TourDocument } from './document/tour-document.ts'
import type { TourEditor } from './document/tour-editor.ts'
import { FramePane } from './frame/FramePane.tsx'
import { useCounts } from './frame/use-counts.ts'
import { type Frame, useFrame } from './frame/use-frame.ts'
import { usePageAddress } from './frame/use-page-address.ts'
import { SaveNotices } from './SaveNotices.tsx'
import { StepList } from './steps/StepList.tsx'
import { useStepActions } from './steps/use-step-actions.ts'
import { TourGate } from './TourGate.tsx'
import { TourSettings } from './TourSettings.tsx'
import { type Editing, useEditor } from './use-editor.ts'
import { usePendingFocus } from './use-pending-focus.ts'
import { usePicking } from './use-picking.ts'
import { Workbench, type WorkbenchPart } from './Workbench.tsx'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour/builder')
const mayEdit = ['edit recipe tours', 'administer recipe tours']

/** The visual builder of one tour. */
export function BuilderPage() {
  const { tour: id } = route.useParams()
  const api = useApi()
  const answer = useApiQuery(tourQuery(api, id))
  const permissions = useQuery(profileQuery(api)).data?.permissions
  const isClosed = permissions !== undefined && !mayEdit.some((it) => permissions.includes(it))
  return (
    <TourGate
      doing="Builder"
      id={id}
      answer={answer}
      closed={isClosed ? 'Editing this tour requires the permission “edit recipe tours”.' : undefined}
    >
      {(tour) => <Builder key={tour.id} loaded={tour} tour={keptTour(tour)} />}
    </TourGate>
  )
}

/** Shows a tour and the page it explains side by side. */
function Builder({ loaded, tour }: { loaded: LoadedTour; tour: KeptTour }) {
  const { id } = loaded
  const editing = useEditor(id, tour)
  const { editor, state } = editing
  const { document } = state
  const frame = useFrame()
  const page = usePageAddress(loaded)
  const counts = useCounts(frame, selectorsOf(document.steps))
  const { announce, region } = useAnnouncer()
  const focus = usePendingFocus()
  const [openKey, open] = useState<string>()
  const [part, setPart] = useState<WorkbenchPart>('steps')
  const picking = usePicking({ frame, editor, open, announce, focus, show: setPart })
  const actions = useStepActions({ editor, openKey, open, announce, focus })
  useLivePreview(frame, { document, openKey, isPicking: picking.isPicking, onOpen: open })

  const place = frame.state.name === 'ready' ? frame.state.place : undefined
  const goBack = () => announce(tellOf(editor.undo(), 'Undone', 'Nothing to undo.'))
  const goForth = () => announce(tellOf(editor.redo(), 'Redone', 'Nothing to redo.'))
  useBuilderKeys({
    onUndo: goBack,
    onRedo: goForth,
    onPick: () => picking.begin(undefined),
    onCancel: picking.isPicking ? picking.cancel : undefined,
  })

  const publish = () => {
    const what = document.isPublished ? 'unpublishing' : 'publishing'
    editor.change({ what }, (it) => ({ ...it, isPublished: !it.isPublished }))
    announce(document.isPublished ? 'The tour is a draft again.' : 'The tour is being published.')
  }

  return (
    <>
      <Workbench
        tour={id}
        title={document.label.trim() === '' ? 'Unnamed tour' : document.label}
        doing="Builder"
        state={<BuilderState {...editing} />}
        ways={<BuilderWays {...editing} tour={id} onUndo={goBack} onRedo={goForth} onPublish={publish} />}
        notices={<SaveNotices {...editing} />}
        part={part}
        onPart={setPart}
        page={
          <FramePane
            frame={frame}
            page={page}
            note={picking.isPicking ? <PickNote over={picking.over} onCancel={picking.cancel} /> : null}
          />
        }
        steps={
          <>
            <TourSettings {...editing} place={place} />
            <StepList
              state={state}
              actions={actions}
              picking={picking}
              canPick={place !== undefined && !picking.isPicking}
              counts={counts}
              isHere={(step) => place !== undefined && showsOn(place, document, step)}
              openKey={openKey}
              onOpen={open}
              onShow={(selector) =>
                frame.link.say({ type: 'highlight', selector: selector === '' ? null : selector })
              }
            />
            <KeyHelp />
          </>
        }
      />
      <LeaveGuard editor={editor} />
      {region}
    </>
  )
}

function tellOf(what: string | undefined, done: string, otherwise: string): string {
  return what === undefined ? otherwise : `${done}: ${what}.`
}

/** Asks for a click in the page, and names the element under the pointer. */
function PickNote({ over, onCancel }: { over: string | undefined; onCancel: () => void }) {
  return (
    <div className={styles['note']}>
      <IconPointer size={16} aria-hidden />
      <p>{over ?? 'Click the element for the step, or press Tab to reach it and Enter to pick it.'}</p>
      <Button size="compact-xs" variant="default" aria-keyshortcuts="Escape" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

/** Delays navigation to another page of the console until the tour is saved; if saving fails, the user decides. */
function LeaveGuard({ editor }: { editor: TourEditor }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async () => !(await editor.settled()),
    enableBeforeUnload: () => editor.read().save.name !== 'saved',
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      confirmLabel="Leave"
      failureSentence="You are still here."
      onConfirm={async () => proceed()}
      onClose={reset}
    >
      <p>Your last changes could not be saved and will be lost.</p>
    </ConfirmDialog>
  )
}

const shortcuts = [
  { keys: 'mod+e', about: 'Pick an element for a new step' },
  { keys: 'mod+z', about: 'Undo' },
  { keys: 'mod+Shift+z', about: 'Redo' },
  { keys: 'Alt+↑', about: 'Move the step up' },
  { keys: 'Alt+↓', about: 'Move the step down' },
  { keys: 'Esc', about: 'Stop picking' },
]

/** The shortcuts of the builder. */
function KeyHelp() {
  return (
    <details className={styles['help']}>
      <summary>Keyboard</summary>
      <dl>
        {shortcuts.map(({ keys, about }) => (
          <div key={keys}>
            <dt>{about}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

interface BuilderKeys {
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onPick: () => void
  /** Undefined while the user is not picking an element. */
  readonly onCancel: (() => void) | undefined
}

/**
 * Handles Ctrl-Z, Ctrl-Shift-Z or Ctrl-Y, Ctrl-E and Escape for any focus; dialogs and fields with their own undo keep these
 * keys.
 */
function useBuilderKeys(keys: BuilderKeys): void {
  const onKeyDown = useEffectEvent((press: KeyboardEvent) => {
    if (press.defaultPrevented || isElsewhere(press.target)) return
    const run = actionOf(press, keys)
    if (run === undefined) return
    press.preventDefault()
    run()
  })
  useEffect(() => {
    const listen = (press: KeyboardEvent) => onKeyDown(press)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function actionOf(press: KeyboardEvent, keys: BuilderKeys): (() => void) | undefined {
  if (press.key === 'Escape') return keys.onCancel
  if (!(press.ctrlKey || press.metaKey) || press.altKey) return undefined
  const key = press.key.toLowerCase()
  if (key === 'z') return press.shiftKey ? keys.onRedo : keys.onUndo
  if (key === 'y') return keys.onRedo
  return key === 'e' && !press.shiftKey && !press.repeat ? keys.onPick : undefined
}

function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [data-own-undo]') !== null
}

interface LivePreview {
  readonly document: TourDocument
  readonly openKey: string | undefined
  readonly isPicking: boolean
  readonly onOpen: (key: string | undefined) => void
}

/** The preview follows typing after a short pause, so that the page does not flicker. */
const pauseMs = 120

/** Shows the open step in the page as visitors would see it, and handles its buttons. */
function useLivePreview({ link, state }: Frame, preview: LivePreview): void {
  const { document, openKey, isPicking, onOpen } = preview
  const index = document.steps.findIndex(({ key }) => key === openKey)
  const step = document.steps[index]
  const place = state.name === 'ready' ? state.place : undefined
  const isShown = step !== undefined && place !== undefined && !isPicking && showsOn(place, document, step)
  const tip = isShown ? JSON.stringify(playableTip(step)) : undefined
  const total = document.steps.length

  useEffect(() => {
    if (place === undefined || isPicking) return undefined
    if (tip === undefined) return link.say({ type: 'hide-step' })
    const timer = setTimeout(
      () => link.say({ type: 'show-step', tip: JSON.parse(tip), index, total }),
      pauseMs,
    )
    return () => clearTimeout(timer)
  }, [link, place, isPicking, tip, index, total])

  const onAction = useEffectEvent((action: 'next' | 'previous' | 'close') => {
    const neighbour = document.steps[index + (action === 'next' ? 1 : -1)]
    if (action === 'close' || neighbour === undefined) onOpen(undefined)
    else onOpen(neighbour.key)
  })
  useEffect(
    () =>
      link.listen((message) => {
        if (message.type === 'step-action') onAction(message.action)
      }),
    [link],
  )
}

/** Whether the tour is published, and whether all changes are saved. */
function BuilderState({ editor, state }: Editing) {
  const { isPublished } = state.document
  return (
    <>
      <Status tone={isPublished ? 'good' : 'idle'} word={isPublished ? 'Published' : 'Draft'} />
      <SaveStatus save={state.save} onRetry={editor.hurry} />
    </>
  )
}

interface BuilderWaysProps extends Editing {
  readonly tour: string
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onPublish: () => void
}

/** The actions of the whole tour. */
function BuilderWays({ editor, state, tour, onUndo, onRedo, onPublish }: BuilderWaysProps) {
  const { document } = state
  const preview = `/admin/structure/recipe-onboarding/tours/${tour}/preview`
  const hasNothing = document.steps.length === 0
  return (
    <>
      <UndoButtons undoes={state.undoes} redoes={state.redoes} onUndo={onUndo} onRedo={onRedo} />
      <Button
        size="compact-sm"
        variant="default"
        component="a"
        href={preview}
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        onClick={(click) => {
          if (click.ctrlKey || click.metaKey || click.shiftKey) return
          click.preventDefault()
          // The preview plays the saved tour. For changes that could not be saved, the browser asks before it leaves the
          // page.
          void editor.settled().then(() => window.location.assign(preview))
        }}
      >
        Preview
      </Button>
      <Button
        size="compact-sm"
        variant={document.isPublished ? 'default' : 'filled'}
        aria-disabled={hasNothing}
        title={hasNothing ? 'Add a step before publishing' : undefined}
        onClick={hasNothing ? undefined : onPublish}
      >
        {document.isPublished ? 'Unpublish' : 'Publish'}
      </Button>
    </>
  )
}

const told: Readonly<Record<SaveState['name'], { readonly tone: Tone; readonly word: string }>> = {
  saved: { tone: 'good', word: 'Saved' },
  waiting: { tone: 'busy', word: 'Saving' },
  saving: { tone: 'busy', word: 'Saving' },
  refused: { tone: 'bad', word: 'Not saved' },
  failed: { tone: 'bad', word: 'Not saved' },
  conflict: { tone: 'warn', word: 'Not saved' },
}

/** Whether the platform has all changes of this window. */
function SaveStatus({ save, onRetry }: { save: SaveState; onRetry: () => void }) {
  const { tone, word } = told[save.name]
  return (
    <>
      <span data-save={save.name}>
        <Status tone={tone} word={word} />
      </span>
      {save.name === 'failed' ? (
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          Retry saving
        </Button>
      ) : null}
    </>
  )
}
