import { ActionIcon } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { StreamStatus } from '../../../parts/StreamStatus.tsx'
import { useExecutionNews } from '../../executions/use-execution-news.ts'
import { useStatusNews } from '../../health/use-status-news.ts'
import type { OverviewAccess } from '../overview-access.ts'

/** What an execution that begins or ends changes besides lists of executions. */
const changedByExecutions = [['usage', 'budget'], ['schedules']] as const

/** Whether news arrive by themselves, and reading everything again. */
export function TodayNews({ access }: { access: OverviewAccess }) {
  const cache = useQueryClient()
  const streamState = useExecutionNews(changedByExecutions)
  return (
    <>
      {access.administers ? <HealthNews /> : null}
      <StreamStatus state={streamState} />
      <ActionIcon
        size={28}
        aria-label="Refresh"
        title="Refresh"
        onClick={() => void cache.invalidateQueries({ type: 'active' })}
      >
        <IconRefresh size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </>
  )
}

/** Keeps the health of services fresh. */
function HealthNews() {
  useStatusNews()
  return null
}
