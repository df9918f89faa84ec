import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { Status } from '../../../parts/Status.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { serviceIncidentsQuery } from '../incidents/incident-calls.ts'
import { describeIncidentState } from '../incidents/incident-words.ts'
import type { ServiceName } from '../status-bodies.ts'
import styles from './ServiceIncidents.module.css'

interface ServiceIncidentsProps {
  readonly name: ServiceName
  readonly onOpen: (id: string) => void
}

/** The last incidents and maintenance of one service. */
export function ServiceIncidents({ name, onOpen }: ServiceIncidentsProps) {
  const { data } = useQuery(serviceIncidentsQuery(useApi(), name))
  if (data === undefined) return null
  if (data.total === 0) return <DrawerSection title="Incidents" about="It has never had one." />
  return (
    <DrawerSection title={`Incidents (${data.total.toLocaleString()})`}>
      <ul className={styles['incidents']}>
        {data.incidents.map(({ id, title, state, starts_at, opened_at, latest_update }) => (
          <li key={id}>
            <div className={styles['head']}>
              <Status {...describeIncidentState(state)} />
              <RelativeTime at={starts_at ?? opened_at} />
            </div>
            <Button
              size="compact-sm"
              variant="default"
              className={styles['open'] ?? ''}
              onClick={() => onOpen(id)}
            >
              {title}
            </Button>
            {latest_update === null ? null : <p>{latest_update.message}</p>}
          </li>
        ))}
      </ul>
    </DrawerSection>
  )
}
