import { Status, type Tone } from '../../../parts/Status.tsx'
import { showsOn } from '../builder/document/place-step.ts'
import { type Count, standingOf } from '../builder/document/step-standing.ts'
import type { Step, TourDocument } from '../builder/document/tour-document.ts'
import type { FrameState } from '../builder/frame/frame-link.ts'
import styles from './PreviewSteps.module.css'
import type { PreviewState } from './preview-state.ts'

interface PreviewStepsProps {
  readonly document: TourDocument
  readonly preview: PreviewState
  readonly frame: FrameState
  readonly counts: ReadonlyMap<string, Count>
}

/** How the tour goes: each step with whether it was shown, and the sum of it. */
export function PreviewSteps({ document, preview, frame, counts }: PreviewStepsProps) {
  const place = frame.name === 'ready' ? frame.place : undefined
  const describe = (
    step: Step,
    index: number,
  ): { readonly tone: Tone; readonly word: string; readonly title?: string } => {
    if (preview.missing.has(step.key)) {
      return {
        tone: 'warn',
        word: 'Element missing',
        title: 'Its element did not come; visitors do not see this step.',
      }
    }
    if (index === preview.current) return { tone: 'busy', word: 'Shown now' }
    if (preview.shown.has(step.key)) return { tone: 'good', word: 'Shown' }
    const isHere = place !== undefined && showsOn(place, document, step)
    const standing = standingOf(step, { counts, isHere })
    if (standing === undefined || standing.tone === 'good') return { tone: 'idle', word: 'Not yet' }
    return { tone: standing.tone, word: standing.word, title: standing.sentence }
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
  if (frame.name === 'silent') return 'The page has no player, so nothing can be played in it.'
  if (preview.phase === 'waiting') return 'The page is on its way.'
  if (preview.phase === 'elsewhere') {
    return `The next step is on “${preview.route}”. Open a page of that route above, and it goes on there.`
  }
  const missing = tellMissing(preview.missing.size)
  if (preview.phase === 'ended') {
    const shown = `${preview.shown.size} of ${length} ${length === 1 ? 'step was' : 'steps were'} shown`
    const end = preview.outcome === 'dismissed' ? 'The tour was closed' : 'The tour is over'
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
