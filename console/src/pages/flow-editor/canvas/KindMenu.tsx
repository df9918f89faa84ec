import '../../../theme/mantine-floating.css'
import { Popover } from '@mantine/core'
import type { StepKind } from '../document/step-kinds.ts'
import { KindChoice } from '../palette/KindChoice.tsx'
import styles from './KindMenu.module.css'

interface KindMenuProps {
  /** Where on the screen it opens. */
  readonly at: { readonly x: number; readonly y: number }
  /** Of what is there, which it must not cover: the second of two quick presses would choose something. */
  readonly height: number
  readonly onChoose: (kind: StepKind) => void
  readonly onClose: () => void
}

/** The step types for this position. */
export function KindMenu({ at, height, onChoose, onClose }: KindMenuProps) {
  return (
    <Popover
      opened
      onDismiss={onClose}
      position="bottom-start"
      floatingStrategy="fixed"
      // Inside of the page it belongs to its landmark.
      withinPortal={false}
      offset={4}
      width={264}
      trapFocus
      shadow="none"
      classNames={{ dropdown: styles['menu'] ?? '' }}
    >
      <Popover.Target>
        <span className={styles['point']} style={{ left: at.x, top: at.y, height }} />
      </Popover.Target>
      <Popover.Dropdown aria-label="Step types">
        <KindChoice onChoose={onChoose} />
      </Popover.Dropdown>
    </Popover>
  )
}
