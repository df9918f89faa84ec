import { Button } from '@mantine/core'

interface RowActionProps {
  readonly label: string
  /** The name of the row, for screen reader users who reach the button without the row. */
  readonly name: string
  readonly onClick: () => void
}

/** The action of a row, in its last column. */
export function RowAction({ label, name, onClick }: RowActionProps) {
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`${label} ${name}`}
      onClick={(event) => {
        // A click on the row itself opens its details.
        event.stopPropagation()
        onClick()
      }}
    >
      {label}
    </Button>
  )
}
