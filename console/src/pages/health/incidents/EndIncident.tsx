import { Button } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../../api/api.ts'
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../../parts/DangerButton.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { notify } from '../../../shell/notify.ts'
import type { Incident } from '../health-queries.ts'

interface EndIncidentProps {
  readonly incident: Incident
  readonly onEnded: (incident: Incident) => void
  readonly onRemoved: () => void
  /** A question stands in front of the drawer. */
  readonly onCovered: (covered: boolean) => void
}

/** Closes what is over, and removes what should never have been there. */
export function EndIncident({ incident, onEnded, onRemoved, onCovered }: EndIncidentProps) {
  const [question, setQuestion] = useState<'close' | 'remove'>()
  const params = { path: { id: incident.id } }
  const isOpen = incident.closed_at === null
  const ask = (wanted: 'close' | 'remove' | undefined) => {
    setQuestion(wanted)
    onCovered(wanted !== undefined)
  }
  const closing = closingOf(incident)
  return (
    <DrawerSection
      title="Close or remove"
      ways={
        <>
          {isOpen ? (
            <Button size="sm" variant="default" onClick={() => ask('close')}>
              {closing.label}…
            </Button>
          ) : null}
          <DangerButton kind="ask" onClick={() => ask('remove')}>
            Remove…
          </DangerButton>
        </>
      }
    >
      {question === 'close' ? (
        <ConfirmDialog
          title={`${closing.label}: “${incident.title}”?`}
          confirmLabel={closing.label}
          failureSentence="The incident is still open."
          send={({ client }) => bodyOf(client.POST('/admin/llm/incidents/{id}/close', { params, body: {} }))}
          onDone={async (answer) => {
            onEnded(answer)
            await notify({ title: closing.done })
          }}
          onClose={() => ask(undefined)}
        >
          <p>{closing.about}</p>
        </ConfirmDialog>
      ) : null}
      {question === 'remove' ? (
        <ConfirmDialog
          title={`Remove “${incident.title}”?`}
          confirmLabel="Remove"
          failureSentence="The incident was not removed."
          send={({ client }) => bodyOf(client.DELETE('/admin/llm/incidents/{id}', { params }))}
          onDone={async () => {
            onRemoved()
            await notify({ title: 'The incident is removed' })
          }}
          onClose={() => ask(undefined)}
        >
          <p>Removes it from the status page and the feed, with all its updates.</p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}

function closingOf({ kind, state, opened_by }: Incident) {
  if (kind === 'maintenance') {
    return state === 'scheduled'
      ? {
          label: 'Cancel maintenance',
          done: 'The maintenance is cancelled',
          about: 'The status page shows it as cancelled.',
        }
      : {
          label: 'End now',
          done: 'The maintenance is ended',
          about: 'Failing services open incidents again from now on.',
        }
  }
  return {
    label: 'Close',
    done: 'The incident is closed',
    about:
      opened_by === 'prober'
        ? 'No new incident is opened for its services until they are online again.'
        : 'The status page shows it as resolved.',
  }
}
