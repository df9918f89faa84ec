import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { WholeFlow } from '../flows/flow-bodies.ts'

/** To the editor: with the flow itself, or with a copy of one that stays as it is. */
export function EditFlow({ flow: { id, built_in: builtIn } }: { flow: WholeFlow }) {
  const copy = (
    <Button
      size="compact-sm"
      variant="default"
      data-tour="edit-flow"
      renderRoot={(props) => <Link to="/new-flow" search={{ from: id }} {...props} />}
    >
      {builtIn ? 'Copy and edit' : 'Copy'}
    </Button>
  )
  if (builtIn) return copy
  return (
    <>
      {copy}
      <Button
        size="compact-sm"
        variant="default"
        renderRoot={(props) => <Link to="/flows/$flow/edit" params={{ flow: id }} {...props} />}
      >
        Edit
      </Button>
    </>
  )
}
