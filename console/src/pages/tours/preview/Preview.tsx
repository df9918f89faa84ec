import { Button } from '@mantine/core'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconRotate from '@tabler/icons-react/dist/esm/icons/IconRotate.mjs'
import { useState } from 'react'
import { Status } from '../../../parts/Status.tsx'
import { savedAsRead } from '../builder/document/saved-tour.ts'
import { selectorsOf } from '../builder/document/step-standing.ts'
import { keptTour, playableTour, type Tour } from '../builder/document/tour-calls.ts'
import { FramePane } from '../builder/frame/FramePane.tsx'
import { useCounts } from '../builder/frame/use-counts.ts'
import { useFrame } from '../builder/frame/use-frame.ts'
import { usePageAddress } from '../builder/frame/use-page-address.ts'
import { Workbench, type WorkbenchPart } from '../builder/Workbench.tsx'
import { useMay } from '../list/use-may.ts'
import { PreviewSteps } from './PreviewSteps.tsx'
import { usePreview } from './use-preview.ts'

/** Plays the whole tour in the page, and tells step by step how it went. */
export function Preview({ tour }: { tour: Tour }) {
  const [document] = useState(() => savedAsRead(keptTour(tour)).kept)
  const frame = useFrame()
  const page = usePageAddress(tour.id, document.routes)
  const counts = useCounts(frame, selectorsOf(document.steps))
  const { state, restart } = usePreview(frame, playableTour(tour))
  const may = useMay()
  const [part, setPart] = useState<WorkbenchPart>('page')
  return (
    <Workbench
      tour={tour.id}
      title={tour.label}
      doing="Preview"
      state={
        <>
          <Status tone={tour.status ? 'good' : 'idle'} word={tour.status ? 'Published' : 'Draft'} />
          <span>Nothing here is counted.</span>
        </>
      }
      ways={
        <>
          {may.edit ? (
            <Button
              size="compact-sm"
              variant="default"
              component="a"
              href={`/admin/structure/recipe-onboarding/tours/${tour.id}/builder`}
              leftSection={<IconPencil size={14} aria-hidden />}
            >
              Builder
            </Button>
          ) : null}
          <Button size="compact-sm" leftSection={<IconRotate size={14} aria-hidden />} onClick={restart}>
            Restart
          </Button>
        </>
      }
      part={part}
      onPart={setPart}
      page={<FramePane frame={frame} page={page} />}
      steps={<PreviewSteps document={document} preview={state} frame={frame.state} counts={counts} />}
    />
  )
}
