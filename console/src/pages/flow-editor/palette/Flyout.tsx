import '../../../theme/mantine-floating.css'
import { Popover, type PopoverProps } from '@mantine/core'
import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import styles from './Flyout.module.css'
import { IconAction } from './IconAction.tsx'

interface FlyoutProps extends Omit<ComponentProps<typeof IconAction>, 'onClick' | 'ref'> {
  /** The content; it receives a function that closes it. */
  readonly renderContent: (close: () => void) => ReactNode
  readonly position?: NonNullable<PopoverProps['position']>
  readonly width?: number
}

/** A button that opens a popover. Escape closes it and restores the focus. */
export function Flyout({ renderContent, position = 'bottom-end', width = 264, ...look }: FlyoutProps) {
  // Positioning popovers is expensive: in a list of hundreds, only those opened once are mounted.
  const [opened, setOpened] = useState<boolean>()
  const button = useRef<HTMLButtonElement>(null)
  const target = (
    <IconAction
      {...look}
      ref={button}
      aria-haspopup="dialog"
      aria-expanded={opened === true}
      onClick={() => setOpened((isOpen) => isOpen !== true)}
    />
  )
  if (opened === undefined) return target
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      onDismiss={() => button.current?.focus()}
      position={position}
      width={width}
      offset={4}
      trapFocus
      shadow="none"
      classNames={styles}
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown>{opened ? renderContent(() => setOpened(false)) : null}</Popover.Dropdown>
    </Popover>
  )
}
