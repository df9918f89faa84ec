import { type Fact, Facts } from './Facts.tsx'
import styles from './FactsBox.module.css'

/** Facts inside a drawer, where nothing else frames them. */
export function FactsBox({ facts }: { facts: readonly Fact[] }) {
  return (
    <div className={styles['box']}>
      <Facts facts={facts} />
    </div>
  )
}
