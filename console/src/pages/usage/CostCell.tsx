import { describeExactDollars } from '../../parts/describe-amount.ts'
import styles from './CostCell.module.css'
import { describeTotalCost, describeUnpriced } from './call-words.ts'
import type { UsageTotals } from './usage-bodies.ts'

/** What calls cost together, with what is missing in the sum. */
export function CostCell({ totals }: { totals: UsageTotals }) {
  const unpriced = totals.unpriced_calls === totals.calls ? undefined : describeUnpriced(totals)
  return (
    <span className={styles['cost']} title={describeExactDollars(totals.micro_dollars)}>
      {describeTotalCost(totals)}
      {unpriced === undefined ? null : <span className={styles['missing']}>{unpriced}</span>}
    </span>
  )
}
