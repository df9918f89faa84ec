import type { StepKind } from '../document/step-kinds.ts'
import { kindDragType, writeKind } from './dragged-kind.ts'
import styles from './KindList.module.css'
import { StepIcon } from './StepIcon.tsx'

interface KindListProps {
  readonly label: string
  readonly kinds: readonly StepKind[]
  readonly onChoose: (kind: StepKind) => void
  /** Shows only icons, on narrow screens. */
  readonly isNarrow?: boolean
}

/** Step types that can be chosen or dragged into the flow. */
export function KindList({ label, kinds, onChoose, isNarrow = false }: KindListProps) {
  return (
    <ul className={styles['kinds']} aria-label={label} data-narrow={isNarrow}>
      {kinds.map((kind) => (
        <li
          key={JSON.stringify([kind.type, kind.beginsWith])}
          draggable
          onDragStart={({ dataTransfer }) => {
            dataTransfer.setData(kindDragType, writeKind(kind))
            dataTransfer.effectAllowed = 'copy'
          }}
        >
          <button
            type="button"
            className={styles['kind']}
            title={isNarrow ? `${kind.title}: ${kind.about}` : kind.about}
            aria-label={kind.title}
            onClick={() => onChoose(kind)}
          >
            <StepIcon type={kind.type} />
            {isNarrow ? null : <span>{kind.title}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}
