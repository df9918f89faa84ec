import '../../theme/mantine-form.css'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { type Column, rowsOf, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { describeDuration } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './ExecutionList.module.css'
import { type ExecutionEntry, executionsQuery } from './execution-queries.ts'
import { type ExecutionSearch, readExecutionSearch } from './execution-search.ts'
import { describeExecution, executionStates, isUnderWay, stateWords } from './execution-words.ts'
import { ProgressBar } from './ProgressBar.tsx'
import { useExecutionNews } from './use-execution-news.ts'

const choices = [
  { value: '', label: 'All states' },
  ...executionStates.map((state) => ({ value: state, label: stateWords[state].word })),
]

/** The executions of all workflows, newest first, updated live. */
export function ExecutionList({ search }: { search: ExecutionSearch }) {
  const { status, flow, id, page = 1 } = search
  const navigate = useNavigate({ from: '/executions' })
  const cache = useQueryClient()
  const streamState = useExecutionNews()
  const { data, failure, refetch } = useApiQuery(executionsQuery(useApi(), search))
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
    <>
      <ListTools count={countText(data?.total)}>
        <NativeSelect
          data-filter
          size="sm"
          aria-label="State"
          data={choices}
          value={status ?? ''}
          onChange={({ currentTarget }) => filterBy({ status: currentTarget.value })}
        />
        <SearchField label="Workflow ID" text={flow} onChange={(text) => filterBy({ flow: text })} />
        <SearchField label="Execution ID" text={id} onChange={(text) => filterBy({ id: text })} />
        <StreamStatus state={streamState} />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The executions could not be loaded."
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
    </>
  )
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 execution' : `${total.toLocaleString()} executions`
}

const CancelSome = lazyPart(() => import('./ExecutionDialogs.tsx'))
const RecoverSome = lazyPart(() =>
  import('./ExecutionDialogs.tsx').then(({ RecoverSome: it }) => ({ default: it })),
)

interface BulkActionsProps {
  readonly chosen: readonly ExecutionEntry[]
  readonly onDone: () => Promise<void>
  readonly onClear: () => void
}

/** The bulk actions on selected executions. Executions an action does not apply to are skipped. */
function BulkActions({ chosen, onDone, onClear }: BulkActionsProps) {
  const [asked, setAsked] = useState<'cancel' | 'recover'>()
  const open = chosen.filter(({ status }) => isUnderWay(status))
  const failed = chosen.filter(({ status }) => status === 'failed')
  const close = () => setAsked(undefined)
  if (chosen.length === 0) return null
  return (
    <div className={styles['bar']} role="group" aria-label="Selected executions">
      <span>{chosen.length === 1 ? '1 selected' : `${chosen.length} selected`}</span>
      <Button
        size="compact-sm"
        variant="default"
        disabled={open.length === 0}
        onClick={() => setAsked('cancel')}
      >
        Cancel {open.length}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={failed.length === 0}
        onClick={() => setAsked('recover')}
      >
        Recover {failed.length}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
      <Suspense>
        {asked === 'cancel' ? <CancelSome executions={open} onDone={onDone} onClose={close} /> : null}
        {asked === 'recover' ? <RecoverSome executions={failed} onDone={onDone} onClose={close} /> : null}
      </Suspense>
    </div>
  )
}

interface ExecutionTableProps {
  readonly executions: readonly ExecutionEntry[] | undefined
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (id: string, isChosen: boolean) => void
  readonly isFiltered: boolean
  readonly onClear: () => void
}

/** The table of executions, each a link to its page. */
function ExecutionTable({ executions, chosen, onChoose, isFiltered, onClear }: ExecutionTableProps) {
  if (executions?.length === 0) {
    return isFiltered ? (
      <EmptyState
        sentence="No executions match."
        action={
          <Button size="compact-sm" variant="default" onClick={onClear}>
            Show all executions
          </Button>
        }
        link={<a href={apiReferencePath}>Read executions through the API</a>}
      />
    ) : (
      <EmptyState
        sentence="No executions yet. Every run of a workflow appears here as soon as it is queued."
        action={
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to="/executions" search={{ view: 'live' }} {...props} />}
          >
            Open live events
          </Button>
        }
        link={<a href={apiReferencePath}>Start one through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Executions"
      columns={columnsFor(chosen, onChoose)}
      rows={executions}
      rowKey={({ execution_id }) => execution_id}
      placeholderRows={8}
    />
  )
}

function columnsFor(
  chosen: ReadonlySet<string>,
  onChoose: ExecutionTableProps['onChoose'],
): ReadonlyArray<Column<ExecutionEntry>> {
  return [
    {
      title: 'Workflow',
      minWidth: 176,
      placeholderWidth: 140,
      cell: ({ execution_id: id, flow_label: label, items }) => (
        <span className={styles['name']}>
          <Checkbox
            size="xs"
            aria-label={`Select ${label} ${id}`}
            checked={chosen.has(id)}
            onChange={({ currentTarget }) => onChoose(id, currentTarget.checked)}
          />
          <span>
            <Link to="/executions/$execution" params={{ execution: id }}>
              {label}
            </Link>
            <span className={styles['id']}>
              {id.slice(-12)}
              {items === 0 ? '' : ` · ${items} items`}
            </span>
          </span>
        </span>
      ),
    },
    {
      title: 'State',
      minWidth: 112,
      placeholderWidth: 80,
      cell: (entry) => <Status {...describeExecution(entry)} />,
    },
    {
      title: 'Progress',
      minor: true,
      minWidth: 96,
      placeholderWidth: 80,
      cell: ({ progress }) => <ProgressBar percentage={progress} />,
    },
    { title: 'Priority', minor: true, placeholderWidth: 48, cell: ({ priority }) => priority },
    {
      title: 'Duration',
      numeric: true,
      placeholderWidth: 48,
      cell: ({ duration }) => (duration === null ? '–' : describeDuration(duration)),
    },
    {
      title: 'Cost',
      numeric: true,
      minor: true,
      placeholderWidth: 40,
      cell: ({ total_cost: dollars }) => describeDollars(Math.round(dollars * 1e6)),
    },
    {
      title: 'Created',
      numeric: true,
      placeholderWidth: 56,
      cell: ({ created_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
    },
  ]
}
