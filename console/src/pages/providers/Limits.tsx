import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useApi } from '../../api/api-context.ts'
import { pageSize } from '../../api/read-all.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Section } from '../../parts/Section.tsx'
import { type Column, columnIds, minFilteredRows, sortByColumn, Table } from '../../parts/Table.tsx'
import { TableFilter } from '../../parts/TableFilter.tsx'
import { filterRows } from '../../parts/table-filter.ts'
import { useTableState } from '../../parts/use-table-state.ts'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeLimited, limitKeyOf, limitRowKeyOf } from './limit-rows.ts'
import { limitsQuery, type ModelLimit } from './provider-queries.ts'
import { describeProvider } from './provider-words.ts'

const count = (title: string, valueOf: (limit: ModelLimit) => number | null): Column<ModelLimit> => ({
  title,
  value: valueOf,
  numeric: true,
  placeholderWidth: 40,
  cell: (limit) => valueOf(limit)?.toLocaleString() ?? '–',
})

const columns: ReadonlyArray<Column<ModelLimit>> = [
  {
    title: 'Model',
    value: ({ model }) => describeLimited(model),
    placeholderWidth: 140,
    cell: ({ model }) => describeLimited(model),
  },
  {
    title: 'Provider',
    value: ({ provider }) => describeProvider(provider),
    minWidth: 64,
    placeholderWidth: 56,
    cell: ({ provider }) => describeProvider(provider),
  },
  count('Concurrent', ({ max_concurrent }) => max_concurrent),
  count('Requests/min', ({ requests_per_minute }) => requests_per_minute),
  count('Tokens/min', ({ tokens_per_minute }) => tokens_per_minute),
  {
    title: 'Set',
    value: ({ updated_at: at }) => at,
    numeric: true,
    minor: true,
    placeholderWidth: 56,
    cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
  },
]

interface LimitsProps {
  readonly page: number
  readonly openKey: string | undefined
  readonly onPage: (page: number, options: { replace: boolean }) => void
  readonly onOpen: (key: string) => void
  readonly onCreate: () => void
}

/** The limits of models and providers. */
export function Limits({ page, openKey, onPage, onOpen, onCreate }: LimitsProps) {
  const { data: limits, failure, refetch } = useApiQuery(limitsQuery(useApi()))
  const { sort, text, onSort, onFilter } = useTableState('limits', columnIds(columns))
  const found = limits && filterRows(limits, columns, text)
  if (limits === undefined && failure !== null) {
    return (
      <FailureNotice what="The limits could not be loaded." error={failure} onRetry={() => void refetch()} />
    )
  }
  return (
    <>
      <Section
        title="Limits"
        note="of models and providers, for the calls of all accounts"
        aside={
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={onCreate}
          >
            Set limits
          </Button>
        }
      >
        {limits?.length === 0 ? (
          <EmptyState
            sentence="No limits are set. Limits protect a provider or a model from more calls than it accepts."
            action={
              <Button size="compact-sm" variant="default" onClick={onCreate}>
                Set the first limits
              </Button>
            }
            link={<a href={apiReferencePath}>Set limits through the API</a>}
          />
        ) : (
          <>
            {limits === undefined || found === undefined || limits.length < minFilteredRows ? null : (
              <TableFilter
                label="Limits"
                text={text}
                onFilter={onFilter}
                found={found.length}
                all={limits.length}
              />
            )}
            <Table
              label="Limits"
              columns={columns}
              rows={found && sortByColumn(found, columns, sort).slice((page - 1) * pageSize, page * pageSize)}
              sort={sort}
              onSort={onSort}
              hasFilter={false}
              rowKey={(limit) => limitRowKeyOf(limitKeyOf(limit))}
              placeholderRows={2}
              onOpen={(limit) => onOpen(limitKeyOf(limit))}
              isOpen={(limit) => limitKeyOf(limit) === openKey}
            />
          </>
        )}
      </Section>
      <Pager label="Pages of limits" page={page} total={found?.length} onPage={onPage} />
    </>
  )
}
