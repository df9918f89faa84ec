import { Button, NativeSelect, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../../parts/DangerButton.tsx'
import { DetailBox } from '../../../parts/DetailBox.tsx'
import type { Detail } from '../../../parts/DetailList.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Form } from '../../../parts/Form.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { Status } from '../../../parts/Status.tsx'
import { findRow } from '../../../parts/use-row-focus.ts'
import { useSubmission } from '../../../parts/use-submission.ts'
import { notify } from '../../../shell/notify.ts'
import { describeMinute } from '../../../time/describe-time.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { AccountName } from '../../usage/AccountName.tsx'
import { type Incident, type IncidentUpdate, statusKey } from '../health-queries.ts'
import styles from './IncidentDrawer.module.css'
import { incidentQuery } from './incident-calls.ts'
import {
  describeImpact,
  describeIncidentState,
  describeServices,
  impactChoices,
  incidentStateChoices,
} from './incident-words.ts'

/** One incident or maintenance: its updates, the form of a new update, and the close and delete actions. */
export default function IncidentDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const api = useApi()
  const cache = useQueryClient()
  const [covered, setCovered] = useState(false)
  const { data: incident, failure, refetch } = useApiQuery(incidentQuery(api, id))
  const show = (changed: Incident) => {
    cache.setQueryData(incidentQuery(api, id).queryKey, changed)
    void cache.invalidateQueries({ queryKey: [...statusKey, 'incidents', 'list'] })
  }
  return (
    <SideDrawer
      title={incident?.title ?? 'Incident'}
      onClose={onClose}
      returnTo={() => findRow(id)}
      covered={covered}
      holdsInput
    >
      {incident === undefined ? (
        failure === null ? (
          <p aria-busy>
            <Skeleton width={240} />
          </p>
        ) : (
          <FailureNotice
            what="The incident could not be loaded."
            error={failure}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <>
          <DetailBox details={detailsOf(incident)} />
          <DrawerSection title="Updates">
            <IncidentUpdates updates={incident.updates} />
          </DrawerSection>
          <PostUpdate incident={incident} onPosted={show} />
          <EndIncident incident={incident} onEnded={show} onRemoved={onClose} onCovered={setCovered} />
        </>
      )}
    </SideDrawer>
  )
}

function detailsOf(incident: Incident): Detail[] {
  const { kind, state, impact, services, opened_by, account_id, opened_at, closed_at } = incident
  return [
    { name: 'State', value: <Status {...describeIncidentState(state)} /> },
    { name: 'Type', value: kind === 'incident' ? 'Incident' : 'Maintenance' },
    { name: 'Impact', value: describeImpact(impact) },
    { name: 'Services', value: describeServices(services) },
    ...planOf(incident),
    {
      name: kind === 'incident' ? 'Opened' : 'Announced',
      value: (
        <span>
          <RelativeTime at={opened_at} /> by{' '}
          {opened_by === 'prober' ? (
            'the health check'
          ) : account_id === null ? (
            'an API key'
          ) : (
            <AccountName id={account_id} />
          )}
        </span>
      ),
    },
    { name: 'Closed', value: closed_at === null ? '–' : <RelativeTime at={closed_at} /> },
  ]
}

function planOf({ starts_at, ends_at }: Incident): Detail[] {
  if (starts_at === null || ends_at === null) return []
  return [
    { name: 'Start', value: describeMinute(new Date(starts_at)) },
    { name: 'End', value: describeMinute(new Date(ends_at)) },
  ]
}

/** The updates of an incident, newest first. */
function IncidentUpdates({ updates }: { updates: readonly IncidentUpdate[] }) {
  return (
    <ol className={styles['updates']} aria-label="Updates">
      {updates.map(({ id, state, message, written_by, account_id, created_at }) => (
        <li key={id}>
          <div className={styles['head']}>
            <Status {...describeIncidentState(state)} />
            <span className={styles['who']}>
              {written_by === 'prober' ? (
                'Health check'
              ) : account_id === null ? (
                'API key'
              ) : (
                <AccountName id={account_id} />
              )}
              , <RelativeTime at={created_at} />
            </span>
          </div>
          <p>{message}</p>
        </li>
      ))}
    </ol>
  )
}

interface PostUpdateProps {
  readonly incident: Incident
  readonly onPosted: (incident: Incident) => void
}

/** The form of an update. A closed incident accepts updates but keeps its state. */
function PostUpdate({ incident, onPosted }: PostUpdateProps) {
  const [message, setMessage] = useState('')
  // Until the user changes them, state and impact follow the incident, which the health check may change meanwhile.
  const [chosenState, setState] = useState<string>()
  const [chosenImpact, setImpact] = useState<string>()
  const state = chosenState ?? incident.state
  const impact = chosenImpact ?? incident.impact
  const isOpen = incident.closed_at === null
  const hasState = isOpen && incident.kind === 'incident'
  const submission = useSubmission({
    fields: ['message', ...(hasState ? ['state'] : []), ...(isOpen ? ['impact'] : [])],
    send: ({ client }) =>
      bodyOf(
        client.POST('/admin/llm/incidents/{id}/updates', {
          params: { path: { id: incident.id } },
          body: {
            message: message.trim(),
            ...(hasState && state !== incident.state ? { state: state as never } : {}),
            ...(isOpen && impact !== incident.impact ? { impact: impact as never } : {}),
          },
        }),
      ),
    async onDone(changed) {
      setMessage('')
      setState(undefined)
      setImpact(undefined)
      onPosted(changed)
      await notify({
        title: changed.closed_at !== null && isOpen ? 'The incident is resolved' : 'The update is posted',
      })
    },
  })
  const { problemOf } = submission
  return (
    <DrawerSection
      title="Post an update"
      about="Shown on the status page: leave out internal addresses and names."
    >
      <Form submission={submission} submitLabel="Post update" failureSentence="The update was not posted.">
        <Textarea
          label="Message"
          autosize={false}
          rows={3}
          value={message}
          onChange={(change) => setMessage(change.currentTarget.value)}
          error={problemOf('message')}
        />
        {hasState ? (
          <NativeSelect
            label="State"
            description="Resolved closes the incident."
            data={incidentStateChoices}
            value={state}
            onChange={(change) => setState(change.currentTarget.value)}
            error={problemOf('state')}
          />
        ) : null}
        {isOpen ? (
          <NativeSelect
            label="Impact"
            data={impactChoices[incident.kind]}
            value={impact}
            onChange={(change) => setImpact(change.currentTarget.value)}
            error={problemOf('impact')}
          />
        ) : null}
      </Form>
    </DrawerSection>
  )
}

interface EndIncidentProps {
  readonly incident: Incident
  readonly onEnded: (incident: Incident) => void
  readonly onRemoved: () => void
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
}

/** Closes an incident, or deletes one that was created by mistake. */
function EndIncident({ incident, onEnded, onRemoved, onCovered }: EndIncidentProps) {
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
