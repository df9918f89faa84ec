import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
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
import { countSteps } from '../document/count-steps.ts'
import { type DraftStep, nameOf } from '../document/flow-document.ts'
import { placeOfStep, type Scope } from '../document/scopes.ts'
import { isContainer } from '../document/step-kinds.ts'
import { Flyout } from '../palette/Flyout.tsx'
import { IconAction } from '../palette/IconAction.tsx'
import { KindChoice } from '../palette/KindChoice.tsx'
import { StepIcon } from '../palette/StepIcon.tsx'
import type { TriedStep } from '../try/try-run.ts'
import type { ProblemCount } from './problem-counts.ts'
import styles from './StepRow.module.css'
import { narrowChoices, type StepActions, type WaitingChoice, waitingChoices } from './step-actions.ts'
import type { StepDetails } from './step-details.ts'
import '../../../theme/mantine-form.css'
import { Checkbox, TextInput } from '@mantine/core'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useEditing } from '../use-flow-editor.ts'

interface RowActionsProps {
  readonly id: string
  readonly name: string
  readonly index: number
  readonly isLast: boolean
  readonly tabIndex: number
  readonly actions: StepActions
}

/** The actions of one step in the list. */
function RowActions({ id, name, index, isLast, tabIndex, actions }: RowActionsProps) {
  return (
    <div className={styles['actions']}>
      <Move
        part="up"
        isOff={index === 0}
        {...{ name, tabIndex }}
        onMove={() => actions.move(id, index - 1)}
      />
      <Move part="down" isOff={isLast} {...{ name, tabIndex }} onMove={() => actions.move(id, index + 1)} />
      <Flyout
        data-part="after"
        tabIndex={tabIndex}
        aria-label={`Dependencies of ${name}`}
        title="Runs after…"
        icon={IconLink}
        renderContent={() => <ComesAfter id={id} name={name} setWaiting={actions.setWaiting} />}
      />
      <Flyout
        data-part="add"
        tabIndex={tabIndex}
        aria-label={`Add a step after ${name}`}
        title="Add a step after this one"
        icon={IconPlus}
        renderContent={(close) => (
          <KindChoice
            onChoose={(kind) => {
              close()
              actions.add(kind, { after: id })
            }}
          />
        )}
      />
      <IconAction
        data-part="duplicate"
        tabIndex={tabIndex}
        aria-label={`Duplicate ${name}`}
        title="Duplicate"
        icon={IconCopy}
        onClick={() => actions.duplicate([id])}
      />
      <IconAction
        data-part="remove"
        tabIndex={tabIndex}
        aria-label={`Remove ${name}`}
        title="Remove"
        icon={IconTrash}
        onClick={() => actions.remove([id])}
      />
    </div>
  )
}

interface MoveProps {
  readonly part: 'up' | 'down'
  readonly name: string
  readonly tabIndex: number
  readonly isOff: boolean
  readonly onMove: () => void
}

function Move({ part, name, tabIndex, isOff, onMove }: MoveProps) {
  return (
    <IconAction
      data-part={part}
      tabIndex={tabIndex}
      aria-label={`Move ${name} ${part}`}
      title={`Move ${part} (Alt+${part === 'up' ? '↑' : '↓'})`}
      aria-disabled={isOff}
      icon={part === 'up' ? IconArrowUp : IconArrowDown}
      onClick={isOff ? undefined : onMove}
    />
  )
}

interface ComesAfterProps {
  readonly id: string
  readonly name: string
  readonly setWaiting: StepActions['setWaiting']
}

/** Longer lists get a search field. */
const fewSteps = 8

const maxShown = 50

/** The dependencies of a step. Steps that would close a cycle are disabled. */
function ComesAfter({ id, name, setWaiting }: ComesAfterProps) {
  const { state } = useEditing()
  const [text, setText] = useState('')
  const choices = waitingChoices(placeOfStep(state.document, id)?.beside ?? [], id)
  const { shown, more } = narrowChoices(choices, text, maxShown)
  if (choices.length === 0) return <p className={styles['note']}>There are no other steps yet.</p>
  return (
    <div className={styles['choice']} role="group" aria-label={`${name} runs after`}>
      <p className={styles['title']}>Runs after</p>
      {choices.length > fewSteps ? (
        <TextInput
          type="search"
          size="xs"
          data-autofocus
          aria-label="Search steps"
          placeholder="Search steps"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={text}
          onChange={(change) => setText(change.currentTarget.value)}
        />
      ) : null}
      {shown.map((choice) => (
        <Checkbox
          key={choice.id}
          size="xs"
          label={choice.name}
          description={noteOn(choice)}
          checked={choice.isWaiting}
          disabled={choice.isLater}
          onChange={(change) => setWaiting(id, choice.id, change.currentTarget.checked)}
        />
      ))}
      {shown.length === 0 || more > 0 ? (
        <p className={styles['note']} role="status">
          {more > 0 ? `${more} more: search to find them.` : 'No steps match.'}
        </p>
      ) : null}
    </div>
  )
}

function noteOn({ isGone, isLater }: WaitingChoice): string | undefined {
  if (isGone) return 'Does not exist.'
  return isLater ? 'Would create a cycle.' : undefined
}

interface StepRowProps {
  readonly step: DraftStep
  readonly within: Scope
  readonly depth: number
  readonly number: string
  readonly index: number
  readonly isLast: boolean
  readonly details: StepDetails
  readonly problems: ProblemCount | undefined
  readonly tried: TriedStep | undefined
  readonly isSelected: boolean
  /** Whether Tab reaches the row; arrow keys reach the others. */
  readonly isStop: boolean
  /** The side where a step type from the palette would be inserted. */
  readonly gap: Edge | undefined
  readonly actions: StepActions
  readonly onSelect: (id: string, how: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>) => void
  readonly onDropStep: (dragged: string, onto: string, edge: Edge) => void
  readonly onOpenProblem: (path: string) => void
  readonly onOpenSteps: (id: string) => void
}

/** One row of the step list: the step, its conditions, its branches, its problems and its actions. */
export const StepRow = memo(Row, isSameRow)

function Row(props: StepRowProps) {
  const { step, within, depth, number, index, isLast, details, problems, tried, isSelected, isStop, gap } =
    props
  const { actions, onSelect, onDropStep, onOpenProblem, onOpenSteps } = props
  const { item, handle, isDragged, edge } = useStepDrag({
    id: step.id,
    within,
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
      data-depth={depth}
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
            <span className={styles['number']}>{number}</span>
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
          {isContainer(step) ? (
            <button
              type="button"
              className={styles['inside']}
              data-part="inside"
              tabIndex={tabIndex}
              aria-label={`${countSteps(step)}: open steps of ${name}`}
              onClick={() => onOpenSteps(step.id)}
            >
              {countSteps(step)}
              <IconChevronRight size={14} aria-hidden />
            </button>
          ) : null}
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

/** Details are computed again with every change and are mostly equal, so they are compared by value. */
function isSameRow(before: StepRowProps, after: StepRowProps): boolean {
  const { details, problems, ...others } = after
  return (
    (Object.keys(others) as (keyof typeof others)[]).every((key) => Object.is(before[key], after[key])) &&
    isSameDetails(before.details, details) &&
    before.problems?.words === problems?.words &&
    before.problems?.first.path === problems?.first.path &&
    before.problems?.first.message === problems?.first.message
  )
}

function isSameDetails(left: StepDetails, right: StepDetails): boolean {
  return (
    left.arrival === right.arrival &&
    left.isDormant === right.isDormant &&
    left.moreBranches === right.moreBranches &&
    left.branches.length === right.branches.length &&
    left.branches.every(({ place, when, to }, index) => {
      const other = right.branches[index]
      return place === other?.place && when === other.when && to === other.to
    })
  )
}

interface StepDrag {
  readonly item: RefObject<HTMLLIElement | null>
  readonly handle: RefObject<HTMLSpanElement | null>
  readonly isDragged: boolean
  /** The side where the dragged step would be inserted. */
  readonly edge: Edge | undefined
}

interface StepDragOptions {
  readonly id: string
  /** A step can be moved only among the steps of its scope. */
  readonly within: Scope
  readonly onDrop: (dragged: string, edge: Edge) => void
}

/** Makes a step draggable by its handle, and a drop target for others on either side. */
function useStepDrag({ id, within, onDrop }: StepDragOptions): StepDrag {
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
        getInitialData: () => ({ flowStep: id, within }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) =>
          typeof source.data['flowStep'] === 'string' &&
          source.data['flowStep'] !== id &&
          source.data['within'] === within,
        onDrag: ({ location }) => setEdge(edgeAt(element, location.current.input.clientY)),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ source, location }) => {
          setEdge(undefined)
          const { flowStep: dragged } = source.data
          if (typeof dragged === 'string') dropped(dragged, edgeAt(element, location.current.input.clientY))
        },
      }),
    )
  }, [id, within])

  return { item, handle, isDragged, edge }
}

/** The side of a row for an insertion. */
export type Edge = 'before' | 'after'

/** The side of a row nearest to the pointer. */
export function edgeAt(row: Element, clientY: number): Edge {
  const { top, height } = row.getBoundingClientRect()
  return clientY < top + height / 2 ? 'before' : 'after'
}
