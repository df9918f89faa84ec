import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import { type MouseEvent, memo, useId } from 'react'
import { Status } from '../../../parts/Status.tsx'
import { describeStepType, stepWords } from '../../executions/execution-words.ts'
import { describeTried } from '../canvas/tried-words.ts'
import { type DraftStep, nameOf } from '../document/flow-document.ts'
import { StepIcon } from '../palette/StepIcon.tsx'
import type { TriedStep } from '../try/try-run.ts'
import type { ProblemCount } from './problem-counts.ts'
import { RowActions } from './RowActions.tsx'
import type { Edge } from './row-edge.ts'
import styles from './StepRow.module.css'
import type { StepActions } from './step-actions.ts'
import type { StepFacts } from './step-facts.ts'
import { useStepDrag } from './use-step-drag.ts'

interface StepRowProps {
  readonly step: DraftStep
  readonly index: number
  readonly isLast: boolean
  readonly facts: StepFacts
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
  const { step, index, isLast, facts, problems, tried, isSelected, isStop, gap } = props
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
      data-dormant={facts.isDormant}
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
          {facts.arrival === '' ? null : <p>{facts.arrival}</p>}
          {facts.isDormant ? <p>Runs only when an agent adds it</p> : null}
          {facts.branches.map(({ place, when, to }) => (
            <p key={place} className={styles['branch']}>
              <span className={styles['when']}>{when}</span>
              <IconArrowRight size={12} role="img" aria-label="leads to" />
              {to}
            </p>
          ))}
          {facts.moreBranches === 0 ? null : <p>and {facts.moreBranches} more</p>}
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

/** Facts are worked out anew with every change, and mostly say the same. */
function isSameRow(before: StepRowProps, after: StepRowProps): boolean {
  const { facts, problems, ...others } = after
  return (
    (Object.keys(others) as (keyof typeof others)[]).every((key) => Object.is(before[key], after[key])) &&
    JSON.stringify([before.facts, before.problems]) === JSON.stringify([facts, problems])
  )
}
