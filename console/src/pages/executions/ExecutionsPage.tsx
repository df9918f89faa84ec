import '../../theme/mantine-form.css'
import { NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { BulkActions } from './BulkActions.tsx'
import { ExecutionTable } from './ExecutionTable.tsx'
import { executionsQuery } from './execution-queries.ts'
import { type ExecutionSearch, readExecutionSearch } from './execution-search.ts'
import { executionStates, stateWords } from './execution-words.ts'
import { useExecutionNews } from './use-execution-news.ts'

const route = getRouteApi('/executions')

const choices = [
  { value: '', label: 'Every state' },
  ...executionStates.map((state) => ({ value: state, label: stateWords[state].word })),
]

/** Every run of a flow, the newest first, as they come and go. */
export function ExecutionsPage() {
  // The address may say what makes no sense, and keeps it.
  const search = readExecutionSearch({ ...route.useSearch() })
  const { status, flow, id, page = 1 } = search
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const streamState = useExecutionNews()
  const { data, failure, refetch } = useAnswer(executionsQuery(useApi(), search))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const isFiltered = status !== undefined || flow !== undefined || id !== undefined

  const filterBy = (wanted: Partial<Record<keyof ExecutionSearch, string | undefined>>) => {
    setChosen(new Set())
    void navigate({ search: readExecutionSearch({ status, flow, id, ...wanted }), replace: true })
  }
  const choose = (wanted: string, isChosen: boolean) =>
    setChosen((before) => {
      const after = new Set(before)
      if (isChosen) after.add(wanted)
      else after.delete(wanted)
      return after
    })

  return (
    <Page
      title="Executions"
      lead="Every run of a flow: what is under way, what came of it, and what it cost."
      aside={<StreamStatus state={streamState} />}
    >
      <ListTools count={countText(data?.total)}>
        <NativeSelect
          data-filter
          size="sm"
          aria-label="State"
          data={choices}
          value={status ?? ''}
          onChange={({ currentTarget }) => filterBy({ status: currentTarget.value })}
        />
        <SearchField label="Flow id" text={flow} onChange={(text) => filterBy({ flow: text })} />
        <SearchField label="Execution id" text={id} onChange={(text) => filterBy({ id: text })} />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The executions could not be read."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <BulkActions
            chosen={(data?.executions ?? []).filter(({ execution_id }) => chosen.has(execution_id))}
            onDone={async () => {
              setChosen(new Set())
              await cache.invalidateQueries({ queryKey: ['executions'] })
            }}
            onClear={() => setChosen(new Set())}
          />
          <Surface>
            <ExecutionTable
              executions={rowsOf(data && { data: data.executions, total: data.total })}
              chosen={chosen}
              onChoose={choose}
              isFiltered={isFiltered}
              onClear={() => filterBy({ status: undefined, flow: undefined, id: undefined })}
            />
          </Surface>
          <Pager
            page={page}
            total={data?.total}
            onPage={(wanted, { replace }) =>
              void navigate({
                search: (now) => ({
                  ...now,
                  page: wanted,
                  ...(data === undefined || data.as_of === null ? {} : { as_of: data.as_of }),
                }),
                replace,
              })
            }
          />
        </>
      )}
    </Page>
  )
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 execution' : `${total.toLocaleString()} executions`
}
