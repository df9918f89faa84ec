import '../../theme/mantine-form.css'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { startTransition, useOptimistic, useState } from 'react'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Surface } from '../../parts/Section.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { readSort, type Sort, writeSort } from '../../parts/table-sort.ts'
import { apiReferencePath } from '../../shell/pages.ts'
import { BulkBar } from './BulkBar.tsx'
import { EndOfList } from './EndOfList.tsx'
import { ExecutionFilters, type SearchChange } from './ExecutionFilters.tsx'
import { ExecutionTable } from './ExecutionTable.tsx'
import { type ExecutionEntry, exportAddress } from './execution-queries.ts'
import { type ExecutionSearch, executionSorts, listOf, readExecutionSearch } from './execution-search.ts'
import { NewActivity } from './NewActivity.tsx'
import { NoRuns } from './NoRuns.tsx'
import { SavedViews } from './SavedViews.tsx'
import { saveFile } from './save-file.ts'
import { useExecutionRows } from './use-execution-rows.ts'

const exportFormats = [
  { format: 'csv', label: 'Export CSV' },
  { format: 'ndjson', label: 'Export NDJSON' },
] as const

/** The executions of all workflows, newest first, updated live. */
export function ExecutionList({ search: inAddress }: { search: ExecutionSearch }) {
  // A filter applies at once. The router changes the address later, and two quick changes must both count.
  const [search, setSearch] = useOptimistic(inAddress)
  const navigate = useNavigate({ from: '/executions' })
  const cache = useQueryClient()
  const { executions, failure, refetch, readAgain, streamState, onShowNews, end } = useExecutionRows(search)
  const [chosen, setChosen] = useState<ReadonlyMap<string, ExecutionEntry>>(new Map())
  const open = (wanted: ExecutionSearch) => {
    setChosen(new Map())
    startTransition(async () => {
      setSearch(wanted)
      await navigate({ search: wanted, replace: true, resetScroll: false })
    })
  }
  const change = (wanted: SearchChange) => open(readExecutionSearch({ ...search, ...wanted }))
  const choose = (wanted: readonly ExecutionEntry[]) =>
    setChosen(new Map(wanted.map((entry) => [entry.execution_id, entry])))

  return (
    <>
      <ExecutionFilters search={search} onChange={change} executions={executions ?? []}>
        <SavedViews search={search} onOpen={open} />
        {exportFormats.map(({ format, label }) => (
          <Button
            key={format}
            size="compact-sm"
            variant="subtle"
            onClick={() => saveFile(exportAddress(search, format, new Date()))}
          >
            {label}
          </Button>
        ))}
        <StreamStatus state={streamState} />
        <NewActivity onShow={onShowNews} />
      </ExecutionFilters>
      {executions === undefined && failure !== null ? (
        <FailureNotice what="The executions could not be loaded." error={failure} onRetry={refetch} />
      ) : (
        <>
          <BulkBar
            chosen={[...chosen.values()]}
            search={search}
            hasMore={end.onMore !== undefined}
            onChoose={choose}
            onDone={async () => {
              setChosen(new Map())
              await readAgain()
              await cache.invalidateQueries({ queryKey: ['executions', 'counts'] })
            }}
          />
          <Surface>
            {executions?.length === 0 ? (
              <NoExecutions isFiltered={isFiltered(search)} onClear={() => open({})} />
            ) : (
              <ExecutionTable
                executions={executions}
                hidden={listOf(search.hide)}
                sort={readSort(search.sort, executionSorts)}
                onSort={(sort: Sort | undefined) => change({ sort: writeSort(sort) })}
                selection={{
                  chosen: new Set(chosen.keys()),
                  onChange: (ids) =>
                    choose(
                      [...ids].flatMap(
                        (id) =>
                          chosen.get(id) ?? executions?.find(({ execution_id: known }) => known === id) ?? [],
                      ),
                    ),
                }}
                hasMore={end.onMore !== undefined}
              />
            )}
          </Surface>
          <EndOfList {...end} />
        </>
      )}
    </>
  )
}

function isFiltered(search: ExecutionSearch): boolean {
  const { sort: _, hide: __, ...filter } = search
  return Object.keys(filter).length > 0
}

function NoExecutions({ isFiltered: hasFilters, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return hasFilters ? (
    <EmptyState
      sentence="No executions match."
      action={
        <Button size="compact-sm" variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
      link={<a href={apiReferencePath}>Read executions through the API</a>}
    />
  ) : (
    <NoRuns sentence="No executions yet. Every run of a workflow appears here as soon as it is queued." />
  )
}
