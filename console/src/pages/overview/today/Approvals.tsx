import { useRef } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Section } from '../../../parts/Section.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { Approval } from './Approval.tsx'
import styles from './today.module.css'
import { approvalsQuery } from './today-queries.ts'

/** Executions that wait until somebody agrees, decided in place. */
export function Approvals({ account }: { account: string }) {
  const { data, failure, refetch } = useAnswer(approvalsQuery(useApi()))
  const list = useRef<HTMLDivElement>(null)
  const waiting = data?.approvals
  return (
    <Section
      title="Approvals"
      note={data === undefined || data.total === 0 ? undefined : `${data.total.toLocaleString()} waiting`}
    >
      {/* What was decided about goes, and takes the focus with it; here it finds a place. */}
      <div ref={list} tabIndex={-1} aria-busy={data === undefined && failure === null}>
        {data === undefined && failure !== null ? (
          <FailureNotice
            what="What waits for approval could not be read."
            error={failure}
            onRetry={() => void refetch()}
          />
        ) : waiting === undefined ? (
          <p className={styles['none']}>
            <Skeleton width={200} />
          </p>
        ) : waiting.length === 0 ? (
          <p className={styles['none']}>Nothing waits for approval.</p>
        ) : (
          <ul className={styles['approvals']} aria-label="Waiting for approval">
            {waiting.map((approval) => (
              <Approval
                key={approval.execution_id}
                approval={approval}
                account={account}
                onDecided={() => list.current?.focus()}
              />
            ))}
          </ul>
        )}
      </div>
    </Section>
  )
}
