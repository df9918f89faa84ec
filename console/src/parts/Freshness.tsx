import { RelativeTime } from '../time/RelativeTime.tsx'
import styles from './Freshness.module.css'
import { Status } from './Status.tsx'

/** How old what is shown is, and whether renewing it fails at the moment. */
export function Freshness({ updatedAt, failing }: { updatedAt: number; failing: boolean }) {
  const at = <RelativeTime at={new Date(updatedAt).toISOString()} />
  if (!failing) return <span className={styles['updated']}>Updated {at}</span>
  return (
    <>
      <Status tone="warn" word="Not responding" />
      <span>last values {at}</span>
    </>
  )
}
