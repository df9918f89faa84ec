import { Button } from '@mantine/core'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import type { Validation } from '../problems/use-validation.ts'
import type { Trying } from './use-try-run.ts'

interface TryItProps {
  readonly validation: Validation
  readonly tryRun: Trying
}

/** Opens and closes the panel in which the draft is run. */
export function TryIt({ tryRun: { isOpen, open, close } }: TryItProps) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconPlayerPlay size={14} aria-hidden />}
      aria-expanded={isOpen}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      title="Run the flow without saving it"
      // While the panel is there, the key for this runs it.
      {...(isOpen ? {} : { 'data-try': true })}
      onClick={isOpen ? close : open}
    >
      Test run
    </Button>
  )
}
