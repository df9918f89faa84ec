import { ActionIcon } from '@mantine/core'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'

interface UndoButtonsProps {
  /** The description of the change that undo reverts; undefined without one. */
  readonly undoes: string | undefined
  readonly redoes: string | undefined
  readonly onUndo: () => void
  readonly onRedo: () => void
}

/** The undo and redo buttons; their labels name the change they affect. */
export function UndoButtons({ undoes, redoes, onUndo, onRedo }: UndoButtonsProps) {
  return (
    <>
      <ActionIcon
        size={28}
        aria-label={undoes === undefined ? 'Undo' : `Undo ${undoes}`}
        title={undoes === undefined ? 'Nothing to undo' : `Undo ${undoes}`}
        aria-keyshortcuts="Control+Z Meta+Z"
        aria-disabled={undoes === undefined}
        onClick={onUndo}
      >
        <IconArrowBackUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        size={28}
        aria-label={redoes === undefined ? 'Redo' : `Redo ${redoes}`}
        title={redoes === undefined ? 'Nothing to redo' : `Redo ${redoes}`}
        aria-keyshortcuts="Control+Shift+Z Control+Y Meta+Shift+Z"
        aria-disabled={redoes === undefined}
        onClick={onRedo}
      >
        <IconArrowForwardUp size={16} aria-hidden />
      </ActionIcon>
    </>
  )
}
