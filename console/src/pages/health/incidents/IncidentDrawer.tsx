import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import type { Fact } from '../../../parts/Facts.tsx'
import { FactsBox } from '../../../parts/FactsBox.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { Status } from '../../../parts/Status.tsx'
import { findRow } from '../../../parts/use-row-focus.ts'
import { describeMinute } from '../../../time/describe-time.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { AccountName } from '../../usage/AccountName.tsx'
import { statusKey } from '../health-queries.ts'
import type { Incident } from '../status-bodies.ts'
import { EndIncident } from './EndIncident.tsx'
import { IncidentUpdates } from './IncidentUpdates.tsx'
import { incidentQuery } from './incident-calls.ts'
import { describeImpact, describeIncidentState, describeServices } from './incident-words.ts'
import { PostUpdate } from './PostUpdate.tsx'

/** One incident or maintenance: what was said about it, saying more, and closing it. */
export default function IncidentDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const api = useApi()
  const cache = useQueryClient()
  const [covered, setCovered] = useState(false)
  const { data: incident, failure, refetch } = useAnswer(incidentQuery(api, id))
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
            what="The incident could not be read."
            error={failure}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <>
          <FactsBox facts={factsOf(incident)} />
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

function factsOf(incident: Incident): Fact[] {
  const { kind, state, impact, services, opened_by, account_id, opened_at, closed_at } = incident
  return [
    { name: 'State', value: <Status {...describeIncidentState(state)} /> },
    { name: 'Kind', value: kind === 'incident' ? 'Incident' : 'Maintenance' },
    { name: 'Impact', value: describeImpact(impact) },
    { name: 'Services', value: describeServices(services) },
    ...planOf(incident),
    {
      name: kind === 'incident' ? 'Opened' : 'Announced',
      value: (
        <span>
          <RelativeTime at={opened_at} /> by{' '}
          {opened_by === 'prober' ? (
            'the prober'
          ) : account_id === null ? (
            'a key'
          ) : (
            <AccountName id={account_id} />
          )}
        </span>
      ),
    },
    { name: 'Closed', value: closed_at === null ? '–' : <RelativeTime at={closed_at} /> },
  ]
}

function planOf({ starts_at, ends_at }: Incident): Fact[] {
  if (starts_at === null || ends_at === null) return []
  return [
    { name: 'Begins', value: describeMinute(new Date(starts_at)) },
    { name: 'Ends', value: describeMinute(new Date(ends_at)) },
  ]
}
