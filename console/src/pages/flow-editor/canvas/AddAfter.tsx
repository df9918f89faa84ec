import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useContext } from 'react'
import styles from './AddAfter.module.css'
import { CanvasActionsContext } from './canvas-actions.ts'

interface AddAfterProps {
  readonly id: string
  readonly name: string
  readonly isLast: boolean
}

/** At the end of a step: what shall come after it? */
export function AddAfter({ id, name, isLast }: AddAfterProps) {
  const actions = useContext(CanvasActionsContext)
  return (
    <button
      type="button"
      className={`${styles['add']} nodrag nopan`}
      data-last={isLast}
      aria-label={`Add a step after ${name}`}
      title="Add a step after this one"
      aria-haspopup="dialog"
      onClick={(event) => {
        event.stopPropagation()
        actions?.addAfter(id, event.currentTarget)
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <IconPlus size={14} aria-hidden />
    </button>
  )
}
