import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { ActionIcon } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
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
import type { ElementStatus } from '../document/element-status.ts'
import type { Step } from '../document/tour-document.ts'
import styles from './StepItem.module.css'

interface StepItemProps {
  readonly step: Step
  readonly index: number
  readonly total: number
  readonly elementStatus: ElementStatus | undefined
  /** The platform found something wrong with it. */
  readonly isRefused: boolean
  readonly onToggle: () => void
  readonly onMove: (to: number, part: 'up' | 'down' | 'open') => void
  readonly onDrop: (draggedKey: string, edge: 'before' | 'after') => void
  /** The fields of the step, while it is open. */
  readonly children: ReactNode
}

/** One step in the list: its title, how it stands in the page, and the ways to move it. */
export function StepItem(props: StepItemProps) {
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
  /** Where what is dragged would go: before or after this step. */
  readonly edge: 'before' | 'after' | undefined
}

interface StepDragOptions {
  readonly stepKey: string
  /** Something was dropped here. */
  readonly onDrop: (draggedKey: string, edge: 'before' | 'after') => void
}

/** Lets a step be dragged by its handle, and others be dropped on either side of it. */
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
