import { useApi } from '../../api/api-context.ts'
import { systemQuery } from '../../api/queries.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Interfaces } from './Interfaces.tsx'
import { ModelNodes } from './ModelNodes.tsx'
import styles from './OverviewPage.module.css'
import { RecurringTasks } from './RecurringTasks.tsx'
import { Summary } from './Summary.tsx'
import { Workers } from './Workers.tsx'

/** The platform itself: its processes, nodes, interfaces and what it does again and again. */
export function SystemTab() {
  const { data: system, failure, refetch } = useAnswer(systemQuery(useApi()))
  const refresh = () => void refetch()
  if (system === undefined && failure !== null) {
    return (
      <FailureNotice what="The state of the platform could not be read." error={failure} onRetry={refresh} />
    )
  }
  return (
    <>
      <Summary system={system} />
      <ModelNodes nodes={system?.nodes} onRefresh={refresh} />
      <div className={styles['pair']}>
        <Workers workers={system?.workers} />
        <Interfaces interfaces={system?.interfaces} />
      </div>
      <RecurringTasks tasks={system?.tasks} />
    </>
  )
}
