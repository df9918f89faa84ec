import '../../theme/mantine-floating.css'
import { Button, Menu } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useNavigate } from '@tanstack/react-router'
import menuStyles from '../../parts/OverflowMenu.module.css'

interface NewWorkflowProps {
  readonly onFromAgents: () => void
  readonly onImport: () => void
}

/** The ways to a new workflow. */
export function NewWorkflow({ onFromAgents, onImport }: NewWorkflowProps) {
  const navigate = useNavigate()
  return (
    <Menu
      position="bottom-end"
      classNames={menuStyles}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button size="compact-sm" rightSection={<IconChevronDown size={14} aria-hidden />}>
          New workflow
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label="New workflow">
        <Menu.Item onClick={() => void navigate({ to: '/workflows/new' })}>Blank</Menu.Item>
        <Menu.Item onClick={onFromAgents}>From agents</Menu.Item>
        <Menu.Item onClick={onImport}>Import</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
