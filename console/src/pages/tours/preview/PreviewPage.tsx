import { Button } from '@mantine/core'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconRotate from '@tabler/icons-react/dist/esm/icons/IconRotate.mjs'
import { getRouteApi } from '@tanstack/react-router'
import type { PlayableTour } from '@tutti/player/protocol'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { Status, type Tone } from '../../../parts/Status.tsx'
import { type Count, elementStatusOf, selectorsOf } from '../builder/document/element-status.ts'
import { showsOn } from '../builder/document/place-step.ts'
import { savedAsRead } from '../builder/document/saved-tour.ts'
import { keptTour, type LoadedTour, playableTour, tourQuery } from '../builder/document/tour-calls.ts'
import type { Step, TourDocument } from '../builder/document/tour-document.ts'
import { FramePane } from '../builder/frame/FramePane.tsx'
import type { FrameState } from '../builder/frame/frame-link.ts'
import { useCounts } from '../builder/frame/use-counts.ts'
import { type Frame, useFrame } from '../builder/frame/use-frame.ts'
import { usePageAddress } from '../builder/frame/use-page-address.ts'
import { TourGate } from '../builder/TourGate.tsx'
import { Workbench, type WorkbenchPart } from '../builder/Workbench.tsx'
import { useMay } from '../list/use-may.ts'
import styles from './PreviewPage.module.css'
import { createPreview, type PreviewState } from './preview-state.ts'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour/preview')

/** Previews a tour as visitors will see it, published or not. */
export function PreviewPage() {
  const { tour: id } = route.useParams()
  const answer = useApiQuery(tourQuery(useApi(), id))
  return (
    <TourGate doing="Preview" id={id} answer={answer}>
      {(tour) => <Preview key={tour.id} tour={tour} />}
    </TourGate>
  )
}

/** Plays the whole tour in the page, and reports the outcome of each step. */
function Preview({ tour }: { tour: LoadedTour }) {
  const [document] = useState(() => savedAsRead(keptTour(tour)).kept)
  const frame = useFrame()
  const page = usePageAddress(tour)
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
          <span>Previews are not counted.</span>
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

const isTyping = () => document.activeElement?.matches('input, textarea, select') === true

/** Plays a tour in the framed page while its preview is open. */
function usePreview({ link }: Frame, tour: PlayableTour) {
  const [preview] = useState(() => createPreview({ link, tour, isTyping }))
  useEffect(() => preview.attend(), [preview])
  return { state: useSyncExternalStore(preview.subscribe, preview.read), restart: preview.restart }
}

interface PreviewStepsProps {
  readonly document: TourDocument
  readonly preview: PreviewState
  readonly frame: FrameState
  readonly counts: ReadonlyMap<string, Count>
}

/** The progress of the preview: each step with its outcome, and the totals. */
function PreviewSteps({ document, preview, frame, counts }: PreviewStepsProps) {
  const place = frame.name === 'ready' ? frame.place : undefined
  const describe = (
    step: Step,
    index: number,
  ): { readonly tone: Tone; readonly word: string; readonly title?: string } => {
    if (preview.missing.has(step.key)) {
      return {
        tone: 'warn',
        word: 'Element missing',
        title: 'The element is missing; the step says so and can be skipped.',
      }
    }
    if (index === preview.current) return { tone: 'busy', word: 'Shown now' }
    if (preview.shown.has(step.key)) return { tone: 'good', word: 'Shown' }
    const isHere = place !== undefined && showsOn(place, document, step)
    const elementStatus = elementStatusOf(step, { counts, isHere })
    if (elementStatus === undefined || elementStatus.tone === 'good') return { tone: 'idle', word: 'Not yet' }
    return { tone: elementStatus.tone, word: elementStatus.word, title: elementStatus.sentence }
  }
  return (
    <section className={styles['steps']} aria-labelledby="preview-heading">
      <h2 id="preview-heading">Steps</h2>
      <p className={styles['gist']} role="status">
        {gistOf(document, preview, frame)}
      </p>
      <ol className={styles['list']}>
        {document.steps.map((step, index) => (
          <li key={step.key} aria-current={index === preview.current ? 'step' : undefined}>
            <span className={styles['number']}>{index + 1}</span>
            <span className={styles['text']}>
              <span className={styles['title']}>{step.title}</span>
              {step.location === 'center' ? null : <code>{step.selector}</code>}
            </span>
            <Status {...describe(step, index)} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function gistOf(document: TourDocument, preview: PreviewState, frame: FrameState): string {
  const { length } = document.steps
  if (length === 0) return 'This tour has no steps yet.'
  if (frame.name === 'silent') return 'The page has no player, so the tour cannot be shown.'
  if (preview.phase === 'waiting') return 'The page is loading.'
  if (preview.phase === 'elsewhere') {
    return `The next step is on “${preview.route}”. Open a page of that route above to continue.`
  }
  const missing = tellMissing(preview.missing.size)
  if (preview.phase === 'ended') {
    const shown = `${preview.shown.size} of ${length} ${length === 1 ? 'step was' : 'steps were'} shown`
    const end = preview.outcome === 'dismissed' ? 'The tour was closed' : 'The tour is finished'
    return `${end}: ${shown}${missing}.`
  }
  return preview.current === undefined
    ? `Waiting for the element of the next step${missing}.`
    : `Step ${preview.current + 1} of ${length} is shown${missing}.`
}

function tellMissing(count: number): string {
  if (count === 0) return ''
  return count === 1 ? '; the element of one step is missing' : `; the elements of ${count} steps are missing`
}
