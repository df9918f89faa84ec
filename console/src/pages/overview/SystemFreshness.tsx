import { ActionIcon } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useApi } from '../../api/api-context.ts'
import { systemQuery } from '../../api/queries.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Freshness } from '../../parts/Freshness.tsx'

/** How old the facts about the platform are, and reading them again. */
export function SystemFreshness() {
  const { data, failure, dataUpdatedAt, refetch } = useAnswer(systemQuery(useApi()))
  if (data === undefined) return null
  return (
    <>
      <Freshness updatedAt={dataUpdatedAt} failing={failure !== null} />
      <ActionIcon size={28} aria-label="Refresh" title="Refresh" onClick={() => void refetch()}>
        <IconRefresh size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </>
  )
}
