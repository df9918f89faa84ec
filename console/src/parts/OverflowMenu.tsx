import '../theme/mantine-floating.css'
import { ActionIcon, Menu } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import styles from './OverflowMenu.module.css'

interface MenuAction {
  readonly label: string
  readonly onSelect: () => void
}

interface OverflowMenuProps {
  /** The accessible name of the button, such as `More actions`. */
  readonly label: string
  readonly actions: readonly MenuAction[]
  /** Actions that destroy something; they come last, after a divider, and ask for confirmation. */
  readonly destructive?: readonly MenuAction[]
}

const none: readonly MenuAction[] = []

/** The seldom actions of a page, behind one button. */
export function OverflowMenu({ label, actions, destructive = none }: OverflowMenuProps) {
  return (
    // Beside its button the menu belongs to the page, and is next in the Tab order.
    <Menu position="bottom-end" classNames={styles} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon size={28} variant="default" aria-label={label} title={label}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {actions.map(({ label: action, onSelect }) => (
          <Menu.Item key={action} onClick={onSelect}>
            {action}
          </Menu.Item>
        ))}
        {actions.length > 0 && destructive.length > 0 ? <Menu.Divider /> : null}
        {destructive.map(({ label: action, onSelect }) => (
          <Menu.Item key={action} data-destructive onClick={onSelect}>
            {action}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
