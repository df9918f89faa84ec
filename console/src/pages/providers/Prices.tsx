import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { pageSize } from '../../api/read-all.ts'
import { describePrice } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Section } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { priceSources } from '../playground/model-words.ts'
import styles from './Prices.module.css'
import { narrow, type PriceRow, rowKeyOf } from './price-rows.ts'
import { describeProvider } from './provider-words.ts'

const amount = (
  title: string,
  valueOf: (row: PriceRow) => number | null,
  minor = false,
): Column<PriceRow> => ({
  title,
  numeric: true,
  minor,
  placeholderWidth: 48,
  cell: (row) => {
    const value = valueOf(row)
    return value === null ? '–' : describePrice(value)
  },
})

const columns: ReadonlyArray<Column<PriceRow>> = [
  { title: 'Model', placeholderWidth: 140, cell: ({ model }) => model },
  {
    title: 'Provider',
    minWidth: 64,
    placeholderWidth: 56,
    cell: ({ provider }) => describeProvider(provider),
  },
  {
    title: 'Source',
    minWidth: 88,
    placeholderWidth: 72,
    cell: ({ source, isListed }) => (
      <span className={styles['source']} data-source={source}>
        {priceSources[source]}
        {isListed ? null : <span className={styles['absent']}>not available</span>}
      </span>
    ),
  },
  amount('Input', ({ input }) => input),
  amount('Cached input', ({ cachedInput }) => cachedInput, true),
  amount('Output', ({ output }) => output),
]

interface PricesProps {
  /** Undefined while they are on their way. */
  readonly rows: readonly PriceRow[] | undefined
  readonly tableVersion: string | undefined
  readonly search: string | undefined
  readonly page: number
  readonly openKey: string | undefined
  readonly onSearch: (text: string | undefined) => void
  readonly onPage: (page: number, options: { replace: boolean }) => void
  readonly onOpen: (key: string) => void
  readonly onCreate: () => void
}

/** The price of every model, with its source. */
export function Prices(props: PricesProps) {
  const { rows, tableVersion, search, page, openKey, onSearch, onPage, onOpen, onCreate } = props
  const found = rows === undefined ? undefined : narrow(rows, search)
  return (
    <>
      <Section
        title="Prices"
        note={`dollars per million tokens${tableVersion === undefined ? '' : `; price table ${tableVersion}`}`}
        aside={
          <>
            <SearchField label="Search models" text={search} onChange={onSearch} />
            <Button
              size="sm"
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={onCreate}
            >
              Set price
            </Button>
          </>
        }
      >
        {found?.length === 0 ? (
          <EmptyState
            sentence={`No models match “${search}”.`}
            action={
              <Button size="compact-sm" variant="default" onClick={() => onSearch(undefined)}>
                Show all models
              </Button>
            }
            link={<a href={apiReferencePath}>Set prices through the API</a>}
          />
        ) : (
          <Table
            label="Prices"
            columns={columns}
            rows={found?.slice((page - 1) * pageSize, page * pageSize)}
            rowKey={({ key }) => rowKeyOf(key)}
            placeholderRows={4}
            onOpen={({ key }) => onOpen(key)}
            isOpen={({ key }) => key === openKey}
          />
        )}
      </Section>
      <Pager page={page} total={found?.length} onPage={onPage} />
    </>
  )
}
