import { Button } from '@mantine/core'
import IconPointer from '@tabler/icons-react/dist/esm/icons/IconPointer.mjs'
import styles from './PickNote.module.css'

/** Says that the page waits for a click, and what the pointer is at. */
export function PickNote({ over, onCancel }: { over: string | undefined; onCancel: () => void }) {
  return (
    <div className={styles['note']}>
      <IconPointer size={16} aria-hidden />
      <p>{over ?? 'Click the element the step is about. With the keyboard: Tab to it, then Enter.'}</p>
      <Button size="compact-xs" variant="default" aria-keyshortcuts="Escape" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
