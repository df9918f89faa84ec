import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Surface } from '../../parts/Section.tsx'
import { readSort, writeSort } from '../../parts/table-sort.ts'
import { EndOfList } from '../executions/EndOfList.tsx'
import { ExecutionTable } from '../executions/ExecutionTable.tsx'
import { executionSorts } from '../executions/execution-search.ts'
import { NewActivity } from '../executions/NewActivity.tsx'
import { useExecutionRows } from '../executions/use-execution-rows.ts'
import type { WholeFlow } from '../workflows/flow-queries.ts'

const changedByExecutions = [['flows', 'stats']] as const

interface RunsTabProps {
  readonly flow: WholeFlow
  /** The order of the address. */
  readonly sort: string | undefined
  readonly onSort: (sort: string | undefined) => void
  readonly onRun: (() => void) | undefined
}

/** The runs of a workflow, updated live. */
export default function RunsTab({ flow, sort, onSort, onRun }: RunsTabProps) {
  const { executions, failure, refetch, onShowNews, end } = useExecutionRows(
    { flow: flow.id, ...(sort === undefined ? {} : { sort }) },
    changedByExecutions,
  )
  if (executions === undefined && failure !== null)
    return <FailureNotice what="The runs could not be loaded." error={failure} onRetry={refetch} />
  if (executions?.length === 0)
    return (
      <Surface>
        <EmptyState
          sentence="This workflow has not run yet."
          action={
            onRun === undefined ? null : (
              <Button size="compact-sm" variant="default" onClick={onRun}>
                Run it now
              </Button>
            )
          }
          link={<Link to="/executions">All executions</Link>}
        />
      </Surface>
    )
  return (
    <>
      <NewActivity onShow={onShowNews} />
      <Surface>
        <ExecutionTable
          label="Runs"
          executions={executions}
          sort={readSort(sort, executionSorts)}
          onSort={(wanted) => onSort(writeSort(wanted))}
          hasMore={end.onMore !== undefined}
        />
      </Surface>
      <EndOfList {...end} />
    </>
  )
}
