import { ActionIcon } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useApi } from '../../api/api-context.ts'
import { systemQuery } from '../../api/queries.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Freshness } from '../../parts/Freshness.tsx'
import { Page } from '../../parts/Page.tsx'
import { Interfaces } from './Interfaces.tsx'
import { ModelNodes } from './ModelNodes.tsx'
import styles from './OverviewPage.module.css'
import { RecurringTasks } from './RecurringTasks.tsx'
import { Summary } from './Summary.tsx'
import { Workers } from './Workers.tsx'

/** What runs, and how it is doing. */
export function OverviewPage() {
  const { data: system, failure, dataUpdatedAt, refetch } = useAnswer(systemQuery(useApi()))
  const refresh = () => void refetch()

  if (system === undefined && failure !== null) {
    return (
      <Page title="Overview">
        <FailureNotice
          what="The state of the platform could not be read."
          error={failure}
          onRetry={refresh}
        />
      </Page>
    )
  }
  return (
    <Page
      title="Overview"
      aside={
        system === undefined ? null : (
          <>
            <Freshness updatedAt={dataUpdatedAt} failing={failure !== null} />
            <ActionIcon size={28} aria-label="Refresh" title="Refresh" onClick={refresh}>
              <IconRefresh size={16} stroke={1.75} aria-hidden />
            </ActionIcon>
          </>
        )
      }
    >
      <Summary system={system} />
      <ModelNodes nodes={system?.nodes} onRefresh={refresh} />
      <div className={styles['pair']}>
        <Workers workers={system?.workers} />
        <Interfaces interfaces={system?.interfaces} />
      </div>
      <RecurringTasks tasks={system?.tasks} />
    </Page>
  )
}
