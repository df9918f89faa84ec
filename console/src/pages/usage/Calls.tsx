import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useLastFailure } from '../../api/use-api-query.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import type { Sort } from '../../parts/table-sort.ts'
import { findRow } from '../../parts/use-row-focus.ts'
import { useTableState } from '../../parts/use-table-state.ts'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { AccountName } from './AccountName.tsx'
import styles from './Calls.module.css'
import { describeCallCost, describeOutcome, outcomeChoices, readOutcome } from './call-words.ts'
import type { CallChoice } from './change-search.ts'
import { type Call, type CallFilter, callSorts, callsQuery } from './usage-queries.ts'

interface CallsProps {
  readonly filter: CallFilter
  /** The model names to choose from. */
  readonly models: readonly string[]
  /** The tags to choose from. */
  readonly tags: readonly string[]
  readonly openId: string | undefined
  readonly onFilter: (filter: CallChoice) => void
  readonly onOpen: (call: Call) => void
}

/** The latest calls of the selected days. */
export function Calls({ filter, models, tags, openId, onFilter, onOpen }: CallsProps) {
  const { model, tag, outcome, account } = filter
  const { sort, onSort } = useTableState('calls', callSorts)
  const log = useInfiniteQuery(callsQuery(useApi(), filter, sort))
  const failure = useLastFailure(log)
  const calls = log.data?.pages.flatMap((page) => page.data)
  const known = model === undefined ? models : [...new Set([...models, model])]
  return (
    <Section
      title="Recent calls"
      aside={
        <>
          <NativeSelect
            data-filter
            size="xs"
            aria-label="Model"
            data={[
              { value: '', label: 'All models' },
              ...known.map((name) => ({ value: name, label: name })),
            ]}
            value={model ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onFilter({ model: value === '' ? undefined : value, tag, outcome })
            }
          />
          {tags.length === 0 && tag === undefined ? null : (
            <NativeSelect
              size="xs"
              aria-label="Tag"
              data={[
                { value: '', label: 'All tags' },
                ...new Set([...tags, ...(tag === undefined ? [] : [tag])]),
              ]}
              value={tag ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onFilter({ model, tag: value === '' ? undefined : value, outcome })
              }
            />
          )}
          <NativeSelect
            size="xs"
            aria-label="Outcome"
            data={[{ value: '', label: 'All outcomes' }, ...outcomeChoices]}
            value={outcome ?? ''}
            onChange={({ currentTarget: { value } }) => onFilter({ model, tag, outcome: readOutcome(value) })}
          />
        </>
      }
    >
      {calls === undefined && failure !== null ? (
        <FailureNotice
          what="The calls could not be loaded."
          error={failure}
          onRetry={() => void log.refetch()}
        />
      ) : (
        <>
          <CallTable
            calls={calls}
            sort={sort}
            onSort={onSort}
            openId={openId}
            ofAll={account === 'all'}
            isFiltered={model !== undefined || tag !== undefined || outcome !== undefined}
            onOpen={onOpen}
            onClear={() => onFilter({ model: undefined, tag: undefined, outcome: undefined })}
          />
          {calls === undefined || calls.length === 0 ? null : (
            <EndOfCalls
              log={log}
              calls={calls}
              isSorted={sort !== undefined && sort.by !== 'started'}
              sortedAmong={log.data?.pages[0]?.sorted_among ?? null}
            />
          )}
        </>
      )}
    </Section>
  )
}

interface EndOfCallsProps {
  readonly log: Pick<
    ReturnType<typeof useInfiniteQuery>,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >
  readonly calls: readonly Call[]
  /** The calls are in another order than that of time. */
  readonly isSorted: boolean
  readonly sortedAmong: number | null
}

/** The button for further calls, while there are any. */
function EndOfCalls({ log, calls, isSorted, sortedAmong }: EndOfCallsProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = log
  const [askedAt, setAskedAt] = useState<number>()
  const firstOlder = askedAt === undefined ? undefined : calls[askedAt]?.id
  useEffect(() => {
    // The button moved down by a page; the focus goes to the first added row.
    if (firstOlder !== undefined) findRow(firstOlder)?.focus({ preventScroll: true })
  }, [firstOlder])
  const showOlder = () => {
    if (isFetchingNextPage) return
    setAskedAt(calls.length)
    void fetchNextPage()
  }
  const which = isSorted ? 'more' : 'older'
  if (isFetchNextPageError && error !== null) {
    return <FailureNotice what="The next calls could not be loaded." error={error} onRetry={showOlder} />
  }
  if (!hasNextPage && sortedAmong === null) return null
  return (
    <div className={styles['end']}>
      {hasNextPage ? (
        <Button size="compact-sm" variant="default" onClick={showOlder}>
          {isFetchingNextPage ? `Loading ${which} calls…` : `Show ${which} calls`}
        </Button>
      ) : null}
      {sortedAmong === null ? null : <span>Sorted among the newest {sortedAmong.toLocaleString()}</span>}
    </div>
  )
}

const countOf = (tokens: number | null) => (tokens === null ? '–' : tokens.toLocaleString())
const timeOf = (ms: number | null) => (ms === null ? '–' : describeMilliseconds(ms))

const model: Column<Call> = { title: 'Model', placeholderWidth: 120, cell: (call) => call.model }

const account: Column<Call> = {
  title: 'Account',
  minWidth: 72,
  placeholderWidth: 72,
  cell: (call) => <AccountName id={call.account} />,
}

const about: ReadonlyArray<Column<Call>> = [
  {
    title: 'Outcome',
    minWidth: 96,
    cell: ({ outcome, cache_hit }) => (
      <Status {...describeOutcome(outcome)} {...(cache_hit ? { word: 'Cached' } : {})} />
    ),
  },
  {
    id: 'input_tokens',
    sortsOnServer: true,
    title: 'In',
    numeric: true,
    placeholderWidth: 32,
    cell: ({ input_tokens }) => countOf(input_tokens),
  },
  {
    id: 'output_tokens',
    sortsOnServer: true,
    title: 'Out',
    numeric: true,
    placeholderWidth: 32,
    cell: ({ output_tokens }) => countOf(output_tokens),
  },
  {
    id: 'first_token',
    sortsOnServer: true,
    title: 'First token',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ first_token_ms }) => timeOf(first_token_ms),
  },
  {
    id: 'duration',
    sortsOnServer: true,
    title: 'Duration',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ latency_ms }) => timeOf(latency_ms),
  },
  {
    id: 'cost',
    sortsOnServer: true,
    title: 'Cost',
    numeric: true,
    placeholderWidth: 56,
    cell: describeCallCost,
  },
  {
    id: 'started',
    sortsOnServer: true,
    title: 'Time',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ started_at }) => <RelativeTime at={started_at} />,
  },
]

const ownColumns = [model, ...about]
const allColumns = [model, account, ...about]

interface CallTableProps {
  readonly calls: readonly Call[] | undefined
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
  readonly openId: string | undefined
  /** The calls are of all accounts, so each row shows its account. */
  readonly ofAll: boolean
  readonly isFiltered: boolean
  readonly onOpen: (call: Call) => void
  readonly onClear: () => void
}

/** The table of calls. A row opens the details of its call. */
function CallTable({ calls, sort, onSort, openId, ofAll, isFiltered, onOpen, onClear }: CallTableProps) {
  if (calls?.length === 0) {
    return (
      <EmptyState
        sentence={
          isFiltered
            ? 'No calls match.'
            : 'No single calls in this period. Single calls are deleted after a while; totals are kept.'
        }
        action={
          isFiltered ? (
            <Button size="compact-sm" variant="default" onClick={onClear}>
              Show all calls
            </Button>
          ) : null
        }
        link={<a href={apiReferencePath}>Read calls through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Calls"
      columns={ofAll ? allColumns : ownColumns}
      rows={calls}
      sort={sort}
      onSort={onSort}
      hasFilter={false}
      rowKey={({ id }) => id}
      placeholderRows={6}
      onOpen={onOpen}
      isOpen={({ id }) => id === openId}
    />
  )
}
