import { describeEstimate, describeSources } from './describe-estimate.ts'
import styles from './Estimate.module.css'
import type { Validation } from './use-validation.ts'

const unknown = {
  text: 'No estimate yet',
  sources: 'Cost and time are estimated once the flow has steps and no errors.',
}

/** The estimated cost and duration of one execution. */
export function Estimate({ validation: { estimate } }: { validation: Validation }) {
  const { text, sources } =
    estimate === null ? unknown : { text: describeEstimate(estimate), sources: describeSources(estimate) }
  return (
    <span className={styles['estimate']} title={sources}>
      {text}
      <span className={styles['sources']}> ({sources})</span>
    </span>
  )
}
