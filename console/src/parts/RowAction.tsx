import { Button } from '@mantine/core'

interface RowActionProps {
  readonly label: string
  /** What it acts on, for who hears the button without seeing the row. */
  readonly name: string
  readonly onClick: () => void
}

/** What can be done with a row, at its end. */
export function RowAction({ label, name, onClick }: RowActionProps) {
  return (
    <Button size="compact-xs" variant="default" aria-label={`${label} ${name}`} onClick={onClick}>
      {label}
    </Button>
  )
}
