import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import {
  type MouseEvent,
  memo,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { Status } from '../../../parts/Status.tsx'
import { describeStepType, stepWords } from '../../executions/execution-words.ts'
import { describeTried } from '../canvas/tried-words.ts'
import { type DraftStep, nameOf } from '../document/flow-document.ts'
import { StepIcon } from '../palette/StepIcon.tsx'
import type { TriedStep } from '../try/try-run.ts'
import type { ProblemCount } from './problem-counts.ts'
import { RowActions } from './RowActions.tsx'
import styles from './StepRow.module.css'
import type { StepActions } from './step-actions.ts'
import type { StepDetails } from './step-details.ts'

interface StepRowProps {
  readonly step: DraftStep
  readonly index: number
  readonly isLast: boolean
  readonly details: StepDetails
  readonly problems: ProblemCount | undefined
  readonly tried: TriedStep | undefined
  readonly isSelected: boolean
  /** Whether Tab reaches it; arrows reach the others. */
  readonly isStop: boolean
  /** The side at which something from the palette would be put. */
  readonly gap: Edge | undefined
  readonly actions: StepActions
  readonly onSelect: (id: string, how: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>) => void
  readonly onDropStep: (dragged: string, onto: string, edge: Edge) => void
  readonly onOpenProblem: (path: string) => void
}

/** One step of the list: what it is, when it runs, where it leads, what is wrong with it, and what can be done with it. */
export const StepRow = memo(Row, isSameRow)

function Row(props: StepRowProps) {
  const { step, index, isLast, details, problems, tried, isSelected, isStop, gap } = props
  const { actions, onSelect, onDropStep, onOpenProblem } = props
  const { item, handle, isDragged, edge } = useStepDrag({
    id: step.id,
    onDrop: (dragged, side) => onDropStep(dragged, step.id, side),
  })
  const about = useId()
  const name = nameOf(step)
  const tabIndex = isStop ? 0 : -1
  const outcome = tried === undefined ? '' : describeTried(tried)
  return (
    <li
      ref={item}
      className={styles['item']}
      data-step={step.id}
      data-selected={isSelected}
      data-dormant={details.isDormant}
      data-dragged={isDragged}
      data-edge={edge ?? gap}
    >
      <span ref={handle} className={styles['handle']} title="Drag to move">
        <IconGripVertical size={14} aria-hidden />
      </span>
      <div className={styles['main']}>
        <div className={styles['top']}>
          <button
            type="button"
            className={styles['open']}
            data-part="open"
            tabIndex={tabIndex}
            aria-pressed={isSelected}
            aria-describedby={about}
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete"
            onClick={(click) => onSelect(step.id, click)}
          >
            <span className={styles['number']}>{index + 1}</span>
            <StepIcon type={step.type} />
            <span className={styles['name']} title={name}>
              {name}
            </span>
            {name === step.id ? null : <code title={step.id}>{step.id}</code>}
            <span className={styles['type']}>{describeStepType(step.type)}</span>
          </button>
          {problems === undefined ? null : (
            <button
              type="button"
              className={styles['problems']}
              data-part="problems"
              tabIndex={tabIndex}
              aria-label={`${problems.words} in ${name}`}
              title={problems.first.message}
              onClick={() => onOpenProblem(problems.first.path)}
            >
              <Status tone={problems.isGrave ? 'bad' : 'warn'} word={problems.words} />
            </button>
          )}
          {tried === undefined ? null : <Status {...stepWords[tried.state]} />}
        </div>
        <div id={about} className={styles['about']}>
          {details.arrival === '' ? null : <p>{details.arrival}</p>}
          {details.isDormant ? <p>Runs only when an agent adds it</p> : null}
          {details.branches.map(({ place, when, to }) => (
            <p key={place} className={styles['branch']}>
              <span className={styles['when']}>{when}</span>
              <IconArrowRight size={12} role="img" aria-label="leads to" />
              {to}
            </p>
          ))}
          {details.moreBranches === 0 ? null : <p>and {details.moreBranches} more</p>}
          {outcome === '' ? null : <p className={styles['output']}>{outcome}</p>}
        </div>
      </div>
      <RowActions
        id={step.id}
        name={name}
        index={index}
        isLast={isLast}
        tabIndex={tabIndex}
        actions={actions}
      />
    </li>
  )
}

/** DetailList are worked out anew with every change, and mostly say the same. */
function isSameRow(before: StepRowProps, after: StepRowProps): boolean {
  const { details, problems, ...others } = after
  return (
    (Object.keys(others) as (keyof typeof others)[]).every((key) => Object.is(before[key], after[key])) &&
    JSON.stringify([before.details, before.problems]) === JSON.stringify([details, problems])
  )
}

interface StepDrag {
  readonly item: RefObject<HTMLLIElement | null>
  readonly handle: RefObject<HTMLSpanElement | null>
  readonly isDragged: boolean
  /** Where what is dragged would go: before or after this step. */
  readonly edge: Edge | undefined
}

interface StepDragOptions {
  readonly id: string
  /** Another step was dropped here. */
  readonly onDrop: (dragged: string, edge: Edge) => void
}

/** Lets a step be dragged by its handle, and others be dropped on either side of it. */
function useStepDrag({ id, onDrop }: StepDragOptions): StepDrag {
  const item = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const [isDragged, setDragged] = useState(false)
  const [edge, setEdge] = useState<Edge>()
  const dropped = useEffectEvent(onDrop)

  useEffect(() => {
    const element = item.current
    if (element === null) return undefined
    return combine(
      draggable({
        element,
        ...(handle.current === null ? {} : { dragHandle: handle.current }),
        getInitialData: () => ({ flowStep: id }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) =>
          typeof source.data['flowStep'] === 'string' && source.data['flowStep'] !== id,
        onDrag: ({ location }) => setEdge(edgeAt(element, location.current.input.clientY)),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ source, location }) => {
          setEdge(undefined)
          const { flowStep: dragged } = source.data
          if (typeof dragged === 'string') dropped(dragged, edgeAt(element, location.current.input.clientY))
        },
      }),
    )
  }, [id])

  return { item, handle, isDragged, edge }
}

/** The side of a row that something would be put at. */
export type Edge = 'before' | 'after'

/** The side of a row that is nearer to the pointer. */
export function edgeAt(row: Element, clientY: number): Edge {
  const { top, height } = row.getBoundingClientRect()
  return clientY < top + height / 2 ? 'before' : 'after'
}
