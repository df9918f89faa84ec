import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { ActionIcon, Button } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconPointer from '@tabler/icons-react/dist/esm/icons/IconPointer.mjs'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { Status } from '../../../../parts/Status.tsx'
import { type Count, type ElementStatus, elementStatusOf } from '../document/element-status.ts'
import type { Step } from '../document/tour-document.ts'
import type { EditorState } from '../document/tour-editor.ts'
import type { Picking } from '../use-picking.ts'
import { StepEditor } from './StepEditor.tsx'
import styles from './StepList.module.css'
import type { StepActions } from './use-step-actions.ts'

interface StepListProps {
  readonly state: EditorState
  readonly actions: StepActions
  readonly picking: Picking
  readonly canPick: boolean
  readonly counts: ReadonlyMap<string, Count>
  readonly isHere: (step: Step) => boolean
  readonly openKey: string | undefined
  readonly onOpen: (key: string | undefined) => void
  readonly onShow: (selector: string | null) => void
}

/** The steps of the tour in their order; one of them is open. */
export function StepList(props: StepListProps) {
  const { state, actions, picking, canPick, counts, isHere, openKey, onOpen, onShow } = props
  const { steps, routes } = state.document

  const drop = (draggedKey: string, onto: number, edge: 'before' | 'after') => {
    const from = steps.findIndex(({ key }) => key === draggedKey)
    const dragged = steps[from]
    const gap = edge === 'before' ? onto : onto + 1
    if (dragged !== undefined) actions.move(dragged, gap > from ? gap - 1 : gap, 'open')
  }

  return (
    <section aria-labelledby="steps-heading">
      <div className={styles['heading']}>
        <h2 id="steps-heading">Steps</h2>
        <span className={styles['count']}>{steps.length}</span>
        <div className={styles['ways']}>
          <Button
            size="compact-sm"
            leftSection={<IconPointer size={14} aria-hidden />}
            aria-disabled={!canPick}
            aria-keyshortcuts="Control+E Meta+E"
            onClick={canPick ? () => picking.begin(undefined) : undefined}
          >
            Pick element
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            data-part="add"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={actions.add}
          >
            Add step
          </Button>
        </div>
      </div>
      {steps.length === 0 ? (
        <p className={styles['empty']}>
          No steps yet. Pick an element of the page, or add a step in the centre of the page.
        </p>
      ) : null}
      <ol className={styles['list']}>
        {steps.map((step, index) => {
          const elementStatus = elementStatusOf(step, { counts, isHere: isHere(step) })
          return (
            <StepItem
              key={step.key}
              step={step}
              index={index}
              total={steps.length}
              elementStatus={elementStatus}
              isRefused={state.refusals.has(step.key)}
              onToggle={() => onOpen(step.key === openKey ? undefined : step.key)}
              onMove={(to, part) => actions.move(step, to, part)}
              onDrop={(draggedKey, edge) => drop(draggedKey, index, edge)}
            >
              {step.key === openKey ? (
                <StepEditor
                  step={step}
                  elementStatus={elementStatus}
                  picked={candidatesFor(step, picking)}
                  canPick={canPick}
                  routes={routes}
                  refusal={state.refusals.get(step.key)}
                  isCleaned={isCleaned(step, state)}
                  onPick={() => picking.begin(step.key)}
                  onChange={(field, changes) => actions.change(step, field, changes)}
                  onShow={onShow}
                  onDuplicate={() => actions.duplicate(step)}
                  onDelete={() => actions.remove(step)}
                />
              ) : null}
            </StepItem>
          )
        })}
      </ol>
    </section>
  )
}

/** The selectors found for the picked element of a step, until its selector changes. */
function candidatesFor({ key, selector }: Step, { picked }: Picking) {
  const isIt = picked?.key === key && picked.candidates.some((it) => it.selector === selector)
  return isIt ? picked.candidates : undefined
}

function isCleaned({ key, body }: Step, { saved }: EditorState): boolean {
  const [sent, kept] = [saved.sent, saved.kept].map(({ steps }) => steps.find((it) => it.key === key)?.body)
  return sent === body && kept !== undefined && kept.trim() !== sent.trim()
}

interface StepItemProps {
  readonly step: Step
  readonly index: number
  readonly total: number
  readonly elementStatus: ElementStatus | undefined
  /** The platform refused the step as invalid. */
  readonly isRefused: boolean
  readonly onToggle: () => void
  readonly onMove: (to: number, part: 'up' | 'down' | 'open') => void
  readonly onDrop: (draggedKey: string, edge: 'before' | 'after') => void
  /** The fields of the step, while it is open. */
  readonly children: ReactNode
}

/** One step in the list: its title, the status of its element, and the buttons to move it. */
function StepItem(props: StepItemProps) {
  const { step, index, total, elementStatus, isRefused, onToggle, onMove, onDrop, children } = props
  const { item, handle, isDragged, edge } = useStepDrag({ stepKey: step.key, onDrop })
  const isOpen = children !== null
  const onKeyDown = (press: KeyboardEvent) => {
    if (!press.altKey || !(press.key === 'ArrowUp' || press.key === 'ArrowDown')) return
    press.preventDefault()
    onMove(index + (press.key === 'ArrowUp' ? -1 : 1), 'open')
  }
  return (
    <li
      ref={item}
      className={styles['item']}
      data-step={step.key}
      data-open={isOpen}
      data-dragged={isDragged}
      data-edge={edge}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons inside */}
      <div className={styles['row']} onKeyDown={onKeyDown}>
        <span ref={handle} className={styles['handle']} title="Drag to move">
          <IconGripVertical size={14} aria-hidden />
        </span>
        <button
          type="button"
          className={styles['open']}
          data-part="open"
          aria-expanded={isOpen}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onClick={onToggle}
        >
          <span className={styles['number']}>{index + 1}</span>
          <span className={styles['title']}>{step.title.trim() === '' ? 'Untitled' : step.title}</span>
        </button>
        {isRefused ? (
          <Status tone="bad" word="Not saved" />
        ) : (
          <ElementStatusMark elementStatus={elementStatus} />
        )}
        <span className={styles['moves']}>
          <Move part="up" title={step.title} isOff={index === 0} onMove={() => onMove(index - 1, 'up')} />
          <Move
            part="down"
            title={step.title}
            isOff={index === total - 1}
            onMove={() => onMove(index + 1, 'down')}
          />
        </span>
      </div>
      {isOpen ? <div className={styles['fields']}>{children}</div> : null}
    </li>
  )
}

function ElementStatusMark({ elementStatus }: { elementStatus: ElementStatus | undefined }) {
  if (elementStatus === undefined || elementStatus.tone === 'good') return null
  return <Status tone={elementStatus.tone} word={elementStatus.word} title={elementStatus.sentence} />
}

interface MoveProps {
  readonly part: 'up' | 'down'
  readonly title: string
  readonly isOff: boolean
  readonly onMove: () => void
}

function Move({ part, title, isOff, onMove }: MoveProps) {
  const Icon = part === 'up' ? IconArrowUp : IconArrowDown
  return (
    <ActionIcon
      size={24}
      data-part={part}
      aria-label={`Move ${part}: ${title}`}
      title={`Move ${part} (Alt+${part === 'up' ? '↑' : '↓'})`}
      aria-disabled={isOff}
      onClick={isOff ? undefined : onMove}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  )
}

interface StepDrag {
  readonly item: RefObject<HTMLLIElement | null>
  readonly handle: RefObject<HTMLSpanElement | null>
  readonly isDragged: boolean
  /** Where the dragged step would be dropped: before or after this step. */
  readonly edge: 'before' | 'after' | undefined
}

interface StepDragOptions {
  readonly stepKey: string
  /** Called when a step was dropped here. */
  readonly onDrop: (draggedKey: string, edge: 'before' | 'after') => void
}

/** Makes a step draggable by its handle, and accepts other steps on either side. */
function useStepDrag({ stepKey, onDrop }: StepDragOptions): StepDrag {
  const item = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const [isDragged, setDragged] = useState(false)
  const [edge, setEdge] = useState<'before' | 'after'>()
  const dropped = useEffectEvent(onDrop)

  useEffect(() => {
    const element = item.current
    if (element === null) return undefined
    const edgeAt = (clientY: number) => {
      const { top, height } = element.getBoundingClientRect()
      return clientY < top + height / 2 ? 'before' : 'after'
    }
    return combine(
      draggable({
        element,
        ...(handle.current === null ? {} : { dragHandle: handle.current }),
        getInitialData: () => ({ stepKey }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) =>
          typeof source.data['stepKey'] === 'string' && source.data['stepKey'] !== stepKey,
        onDrag: ({ location }) => setEdge(edgeAt(location.current.input.clientY)),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ source, location }) => {
          setEdge(undefined)
          const { stepKey: dragged } = source.data
          if (typeof dragged === 'string') dropped(dragged, edgeAt(location.current.input.clientY))
        },
      }),
    )
  }, [stepKey])

  return { item, handle, isDragged, edge }
}
