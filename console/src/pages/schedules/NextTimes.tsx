import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './NextTimes.module.css'
import type { Schedule } from './schedule-queries.ts'

/** The next runs: local time in the zone of the schedule, and relative to now. */
export function NextTimes({ runs, label }: { runs: Schedule['next_runs']; label: string }) {
  return (
    <ul className={styles['times']} aria-label={label}>
      {runs.map(({ run_at: at, local_time: local }) => (
        <li key={at}>
          <span className={styles['local']}>{describeLocal(local)}</span>
          <span className={styles['soon']}>
            <RelativeTime at={new Date(at * 1000).toISOString()} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The local day and time as the server wrote them for the zone, with the weekday. */
function describeLocal(local: string): string {
  const [date = '', time = ''] = local.split('T')
  const day = new Date(`${date}T12:00:00Z`).toLocaleDateString(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const [clock = time, offset = ''] = time.split(/(?=[+-])/)
  return `${day}, ${clock.replace(/:00$/, '')} (${offset === '+00:00' ? 'UTC' : `UTC${offset}`})`
}
