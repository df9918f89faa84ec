import { Status } from '../../../parts/Status.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { AccountName } from '../../usage/AccountName.tsx'
import type { IncidentUpdate } from '../status-bodies.ts'
import styles from './IncidentUpdates.module.css'
import { describeIncidentState } from './incident-words.ts'

/** Everything that was said, the newest first. */
export function IncidentUpdates({ updates }: { updates: readonly IncidentUpdate[] }) {
  return (
    <ol className={styles['updates']} aria-label="Updates">
      {updates.map(({ id, state, message, written_by, account_id, created_at }) => (
        <li key={id}>
          <div className={styles['head']}>
            <Status {...describeIncidentState(state)} />
            <span className={styles['who']}>
              {written_by === 'prober' ? (
                'The prober'
              ) : account_id === null ? (
                'A key'
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
