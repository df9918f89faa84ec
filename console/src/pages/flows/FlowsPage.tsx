import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type CSSProperties, lazy, Suspense, useMemo } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { RowAction } from '../../parts/RowAction.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { type Column, rowsOf, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { stateWords } from '../executions/execution-words.ts'
import styles from './FlowsPage.module.css'
import { type FlowEntry, flowsQuery, type LatestRun } from './flow-queries.ts'
import { readFlowSearch } from './flow-search.ts'

interface RunBar {
  readonly id: string
  readonly status: LatestRun['status']
  /** The share of the longest duration, 0 to 1. */
  readonly height: number
}

/** The minimum height of a visible bar. */
const lowest = 0.2

/** The newest executions as bars, oldest at the left; the height is the duration. */
export function runBarsOf(runs: readonly LatestRun[]): RunBar[] {
  const longest = Math.max(...runs.map(({ duration }) => duration ?? 0))
  return runs.toReversed().map(({ execution_id: id, status, duration }) => ({
    id,
    status,
    height: longest === 0 || duration === null ? lowest : Math.max(lowest, duration / longest),
  }))
}

/** The success rate of the finished executions in percent; undefined without finished ones. */
export function successOf(runs: readonly LatestRun[]): number | undefined {
  const over = runs.filter(({ status }) => status === 'completed' || status === 'failed')
  if (over.length === 0) return undefined
  return (over.filter(({ status }) => status === 'completed').length / over.length) * 100
}

/** The average cost of the completed executions; undefined without completed ones. */
export function costOf(runs: readonly LatestRun[]): number | undefined {
  const over = runs.filter(({ status }) => status === 'completed')
  if (over.length === 0) return undefined
  return over.reduce((sum, { cost }) => sum + cost, 0) / over.length
}

const ImportFlow = lazy(() => import('./ImportFlow.tsx'))
const route = getRouteApi('/flows')

const choices = [
  { value: '', label: 'All flows' },
  { value: 'mine', label: 'Created by you' },
  { value: 'built_in', label: 'Built in' },
]

/** The list of flows, with the metrics of their newest executions. */
export function FlowsPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const search = readFlowSearch({ ...route.useSearch() })
  const { search: text, tag, which, page = 1 } = search
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const mayRun = useMay('run workflows')
  const mayManage = useMay('manage workflows')
  const { data, failure, refetch } = useApiQuery(flowsQuery(useApi(), search))
  const filterBy = (wanted: Record<string, string | undefined>) =>
    void navigate({ search: readFlowSearch({ search: text, tag, which, ...wanted }), replace: true })
  const openImport = (isOpen: boolean) =>
    void navigate({
      search: readFlowSearch({ search: text, tag, which, page, import: isOpen }),
      replace: true,
    })

  return (
    <Page
      title="Flows"
      lead="Workflows of models, agents and services, with their recent results."
      aside={
        mayManage ? (
          <>
            <Button size="compact-sm" variant="default" onClick={() => openImport(true)}>
              Import
            </Button>
            <Button size="compact-sm" renderRoot={(props) => <Link to="/new-flow" {...props} />}>
              New flow
            </Button>
          </>
        ) : undefined
      }
    >
      <ListTools count={countText(data?.total)}>
        <SearchField label="Search flows" text={text} onChange={(wanted) => filterBy({ search: wanted })} />
        <SearchField label="Tag" text={tag} onChange={(wanted) => filterBy({ tag: wanted })} />
        <NativeSelect
          data-filter
          size="sm"
          aria-label="Filter flows"
          data={choices}
          value={which ?? ''}
          onChange={({ currentTarget }) => filterBy({ which: currentTarget.value })}
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice what="The flows could not be loaded." error={failure} onRetry={() => void refetch()} />
      ) : (
        <>
          <Surface>
            <FlowTable
              flows={rowsOf(data && { data: data.flows, total: data.total })}
              isNarrowed={text !== undefined || tag !== undefined}
              mayRun={mayRun}
              mayManage={mayManage}
              onShowAll={() => filterBy({ search: undefined, tag: undefined, which: undefined })}
            />
          </Surface>
          <Pager
            page={page}
            total={data?.total}
            onPage={(wanted, { replace }) =>
              void navigate({ search: (now) => ({ ...now, page: wanted }), replace })
            }
          />
        </>
      )}
      <Suspense>
        {search.import === true && mayManage ? (
          <ImportFlow
            onDone={() => cache.invalidateQueries({ queryKey: ['flows'] })}
            onClose={() => openImport(false)}
          />
        ) : null}
      </Suspense>
    </Page>
  )
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 flow' : `${total.toLocaleString()} flows`
}

const columns: ReadonlyArray<Column<FlowEntry>> = [
  {
    title: 'Flow',
    minWidth: 192,
    placeholderWidth: 160,
    cell: ({ id, label, built_in: builtIn, tags }) => (
      <span className={styles['name']}>
        <Link to="/flows/$flow" params={{ flow: id }}>
          {label}
        </Link>
        <span className={styles['about']}>{[id, ...(builtIn ? ['built in'] : []), ...tags].join(' · ')}</span>
      </span>
    ),
  },
  { title: 'Steps', numeric: true, minor: true, placeholderWidth: 24, cell: ({ steps }) => steps },
  {
    title: 'Recent runs',
    minWidth: 96,
    placeholderWidth: 72,
    cell: ({ last_runs: runs = [] }) => <RunBars runs={runs} />,
  },
  {
    title: 'Success rate',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ last_runs: runs = [] }) => {
      const success = successOf(runs)
      return success === undefined ? '–' : `${Math.round(success)} %`
    },
  },
  {
    title: 'Cost per run',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ last_runs: runs = [] }) => {
      const cost = costOf(runs)
      return cost === undefined ? '–' : describeDollars(Math.round(cost * 1e6))
    },
  },
  {
    title: 'Changed',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ updated_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]

interface FlowTableProps {
  readonly flows: readonly FlowEntry[] | undefined
  /** Whether the list is filtered. */
  readonly isNarrowed: boolean
  readonly mayRun: boolean
  readonly mayManage: boolean
  readonly onShowAll: () => void
}

/** The table of flows, each a link to its page. */
function FlowTable({ flows, isNarrowed, mayRun, mayManage, onShowAll }: FlowTableProps) {
  const navigate = useNavigate()
  const withWays = useMemo(
    () => [
      ...columns,
      ...waysFor({
        ...(mayRun && {
          onRun: (flow: string) =>
            void navigate({ to: '/flows/$flow', params: { flow }, search: { run: true } }),
        }),
        ...(mayManage && {
          onEdit: ({ id, built_in: builtIn }: FlowEntry) =>
            void (builtIn
              ? navigate({ to: '/new-flow', search: { from: id } })
              : navigate({ to: '/flows/$flow/edit', params: { flow: id } })),
        }),
      }),
    ],
    [mayRun, mayManage, navigate],
  )
  if (flows?.length === 0) {
    return isNarrowed || !mayManage ? (
      <EmptyState
        sentence="No flows match."
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show all flows
          </Button>
        }
        link={mayManage ? <Link to="/new-flow">Create one</Link> : runFirst}
      />
    ) : (
      <EmptyState
        sentence="You have no flows yet. Create one, or run a built-in flow first."
        action={
          <Button size="compact-sm" renderRoot={(props) => <Link to="/new-flow" {...props} />}>
            New flow
          </Button>
        }
        link={runFirst}
      />
    )
  }
  return <Table label="Flows" columns={withWays} rows={flows} rowKey={({ id }) => id} placeholderRows={6} />
}

/** A built-in flow that needs no model and finishes within a second. */
const runFirst = (
  <Link to="/flows/$flow" params={{ flow: 'content_quality_review' }} search={{ run: true }}>
    Run a built-in flow
  </Link>
)

interface Ways {
  readonly onRun?: (flow: string) => void
  readonly onEdit?: (flow: FlowEntry) => void
}

function waysFor({ onRun, onEdit }: Ways): ReadonlyArray<Column<FlowEntry>> {
  if (onRun === undefined && onEdit === undefined) return []
  return [
    {
      title: 'Actions',
      quiet: true,
      numeric: true,
      minor: true,
      cell: (flow) => (
        <Button.Group className={styles['ways'] ?? ''}>
          {onRun === undefined ? null : (
            <RowAction label="Run" name={flow.label} onClick={() => onRun(flow.id)} />
          )}
          {onEdit === undefined ? null : (
            <RowAction
              label={flow.built_in ? 'Copy' : 'Edit'}
              name={flow.label}
              onClick={() => onEdit(flow)}
            />
          )}
        </Button.Group>
      ),
    },
  ]
}

/** The newest executions of a flow as a small bar chart. */
function RunBars({ runs }: { runs: readonly LatestRun[] }) {
  if (runs.length === 0) return <span className={styles['none']}>none</span>
  return (
    <span className={styles['bars']} role="img" aria-label={describe(runs)} title={describe(runs)}>
      {runBarsOf(runs).map(({ id, status, height }) => (
        <span key={id} data-status={status} style={{ '--height': `${height * 100}%` } as CSSProperties} />
      ))}
    </span>
  )
}

function describe(runs: readonly LatestRun[]): string {
  const counts = Map.groupBy(runs, ({ status }) => status)
  return [...counts]
    .map(([status, some]) => `${some.length} ${stateWords[status].word.toLowerCase()}`)
    .join(', ')
}
