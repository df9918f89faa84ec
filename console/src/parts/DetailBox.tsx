import styles from './DetailBox.module.css'
import { type Detail, DetailList } from './DetailList.tsx'

/** A framed DetailList, for drawers. */
export function DetailBox({ details }: { details: readonly Detail[] }) {
  return (
    <div className={styles['box']}>
      <DetailList details={details} />
    </div>
  )
}
