import { Button } from '@mantine/core'

/** Offers to show executions that came while the list was scrolled down. */
export function NewActivity({ onShow }: { onShow: (() => void) | undefined }) {
  if (onShow === undefined) return null
  return (
    <Button size="compact-sm" variant="light" onClick={onShow}>
      New activity: show
    </Button>
  )
}
