import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Section } from '../../../parts/Section.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { useAgentLabels } from '../../agents/use-agent-labels.ts'
import { adviceQuery } from '../workflow-queries.ts'
import styles from './Advice.module.css'
import { AdviceForm } from './AdviceForm.tsx'
import { AdviceResults } from './AdviceResults.tsx'
import type { AdviceWishes } from './advice-wishes.ts'

interface AdvicePanelProps {
  readonly wishes: AdviceWishes
  readonly isAsked: boolean
  readonly onAsk: (wishes: AdviceWishes) => void
}

/** Says what you have, and reads which agents suit it and why. The address keeps the question. */
export default function AdvicePanel({ wishes, isAsked, onAsk }: AdvicePanelProps) {
  const labelOf = useAgentLabels()
  const { data, failure, refetch } = useAnswer({
    ...adviceQuery(useApi(), wishes),
    enabled: isAsked,
  })
  return (
    <>
      <Section title="What do you have?" note="everything is optional">
        <div className={styles['inside']}>
          <AdviceForm wishes={wishes} onAsk={onAsk} />
        </div>
      </Section>
      {data === undefined && failure !== null ? (
        <FailureNotice what="Nothing could be recommended." error={failure} onRetry={() => void refetch()} />
      ) : null}
      {isAsked && (data === undefined || labelOf === undefined) && failure === null ? (
        <Section title="Recommended">
          <div className={styles['inside']} aria-busy>
            <Skeleton width={280} />
          </div>
        </Section>
      ) : null}
      {isAsked && data !== undefined && labelOf !== undefined ? (
        <AdviceResults advice={data} labelOf={labelOf} />
      ) : null}
    </>
  )
}
