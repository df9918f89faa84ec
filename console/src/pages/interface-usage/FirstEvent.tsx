import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Surface } from '../../parts/Section.tsx'
import { useCopy } from '../../parts/use-copy.ts'
import styles from './FirstEvent.module.css'
import { writeFirstEvent } from './first-event.ts'

const labels = { idle: 'Copy the command', copied: 'Copied', failed: 'Could not copy' }

/** How the first event comes here. */
export function FirstEvent() {
  const command = writeFirstEvent(window.location.origin)
  const { outcome, copy } = useCopy(command)
  return (
    <Surface>
      <EmptyState
        sentence="No interface has told anything in these days. Send the first event from a shell that has an API key in TUTTI_API_KEY."
        action={
          <Button size="compact-sm" variant="default" onClick={copy}>
            {labels[outcome]}
          </Button>
        }
        link={<Link to="/api-keys">Make an API key</Link>}
      />
      {/* Long lines scroll, and what scrolls must be reachable by keyboard. */}
      <pre className={styles['command']} tabIndex={0} role="region" aria-label="Command">
        {command}
      </pre>
    </Surface>
  )
}
