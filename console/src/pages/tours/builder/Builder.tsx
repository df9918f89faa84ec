import { useState } from 'react'
import { useAnnouncer } from '../../../editing/use-announcer.tsx'
import { BuilderState, BuilderWays } from './BuilderBar.tsx'
import { showsOn } from './document/place-step.ts'
import type { KeptTour } from './document/saved-tour.ts'
import { selectorsOf } from './document/step-standing.ts'
import { FramePane } from './frame/FramePane.tsx'
import { useCounts } from './frame/use-counts.ts'
import { useFrame } from './frame/use-frame.ts'
import { usePageAddress } from './frame/use-page-address.ts'
import { KeyHelp } from './KeyHelp.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'
import { PickNote } from './PickNote.tsx'
import { SaveNotices } from './SaveNotices.tsx'
import { StepList } from './steps/StepList.tsx'
import { useStepActions } from './steps/use-step-actions.ts'
import { TourSettings } from './TourSettings.tsx'
import { useBuilderKeys } from './use-builder-keys.ts'
import { useEditor } from './use-editor.ts'
import { useLivePreview } from './use-live-preview.ts'
import { usePendingFocus } from './use-pending-focus.ts'
import { usePicking } from './use-picking.ts'
import { Workbench, type WorkbenchPart } from './Workbench.tsx'

/** A tour and the page it leads through, side by side. */
export function Builder({ id, tour }: { id: string; tour: KeptTour }) {
  const editing = useEditor(id, tour)
  const { editor, state } = editing
  const { document } = state
  const frame = useFrame()
  const page = usePageAddress(id, tour.routes)
  const counts = useCounts(frame, selectorsOf(document.steps))
  const { announce, region } = useAnnouncer()
  const focus = usePendingFocus()
  const [openKey, open] = useState<string>()
  const [part, setPart] = useState<WorkbenchPart>('steps')
  const picking = usePicking({ frame, editor, open, announce, focus, show: setPart })
  const actions = useStepActions({ editor, openKey, open, announce, focus })
  useLivePreview(frame, { document, openKey, isPicking: picking.isPicking, onOpen: open })

  const place = frame.state.name === 'ready' ? frame.state.place : undefined
  const goBack = () => announce(tellOf(editor.undo(), 'Undone', 'There is nothing to undo.'))
  const goForth = () => announce(tellOf(editor.redo(), 'Done again', 'There is nothing to redo.'))
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
