import { useMemo } from 'react'
import { describeExactDollars } from '../../parts/describe-amount.ts'
import { RowAction } from '../../parts/RowAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { describeProvider } from '../providers/provider-words.ts'
import { AccountName, useAccountName } from './AccountName.tsx'
import styles from './CostCell.module.css'
import { describeTotalCost, describeUnpriced, meanOf } from './call-words.ts'
import type { UsageRow, UsageTotals } from './usage-queries.ts'

const count = (title: string, valueOf: (row: UsageRow) => number, minor = false): Column<UsageRow> => ({
  title,
  numeric: true,
  minor,
  placeholderWidth: 40,
  cell: (row) => valueOf(row).toLocaleString(),
})

const amounts: ReadonlyArray<Column<UsageRow>> = [
  count('Calls', ({ calls }) => calls),
  count('Failed', ({ failures }) => failures, true),
  count('Tokens in', ({ input_tokens }) => input_tokens),
  count('Tokens out', ({ output_tokens }) => output_tokens),
]

const cost: Column<UsageRow> = {
  title: 'Cost',
  numeric: true,
  placeholderWidth: 56,
  cell: (row) => <CostCell totals={row} />,
}

const modelColumns: ReadonlyArray<Column<UsageRow>> = [
  { title: 'Model', placeholderWidth: 120, cell: ({ model }) => model },
  {
    title: 'Provider',
    minWidth: 64,
    minor: true,
    placeholderWidth: 56,
    cell: ({ provider = '' }) => describeProvider(provider),
  },
  ...amounts,
  {
    title: 'First token',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ first_token_ms_sum, first_token_count }) => {
      const mean = meanOf(first_token_ms_sum, first_token_count)
      return mean === undefined ? '–' : describeMilliseconds(mean)
    },
  },
  cost,
]

interface TableProps {
  readonly rows: readonly UsageRow[] | undefined
  /** There are more than these. */
  readonly truncated: boolean
}

/** Usage by model, most expensive first. */
export function ModelUsage({ rows, truncated }: TableProps) {
  return (
    <Section title="By model" note={noteOf(rows, truncated)}>
      <Table
        label="Usage by model"
        columns={modelColumns}
        rows={rows}
        rowKey={({ provider, model }) => `${provider}/${model}`}
        placeholderRows={3}
      />
    </Section>
  )
}

const accountName: Column<UsageRow> = {
  title: 'Account',
  placeholderWidth: 96,
  cell: ({ account = '' }) => <AccountName id={account} />,
}

function lookColumn(onLook: (id: string) => void): Column<UsageRow> {
  return {
    title: 'Filter by this account',
    numeric: true,
    quiet: true,
    placeholderWidth: 64,
    cell: ({ account = '' }) => <LookButton id={account} onLook={onLook} />,
  }
}

/** Usage by account, most expensive first, for administrators. */
export function AccountUsage({ rows, truncated, onLook }: TableProps & { onLook: (id: string) => void }) {
  const columns = useMemo(() => [accountName, ...amounts, cost, lookColumn(onLook)], [onLook])
  return (
    <Section title="By account" note={noteOf(rows, truncated)}>
      <Table
        label="Usage by account"
        columns={columns}
        rows={rows}
        rowKey={({ account = '' }) => account}
        placeholderRows={3}
      />
    </Section>
  )
}

function LookButton({ id, onLook }: { id: string; onLook: (id: string) => void }) {
  return <RowAction label="Show only" name={useAccountName(id)} onClick={() => onLook(id)} />
}

function noteOf(rows: readonly UsageRow[] | undefined, truncated: boolean): string | undefined {
  if (rows === undefined) return undefined
  return truncated ? `the first ${rows.length.toLocaleString()}` : rows.length.toLocaleString()
}

/** The total cost of calls, with the number of unpriced ones. */
function CostCell({ totals }: { totals: UsageTotals }) {
  const unpriced = totals.unpriced_calls === totals.calls ? undefined : describeUnpriced(totals)
  return (
    <span className={styles['cost']} title={describeExactDollars(totals.micro_dollars)}>
      {describeTotalCost(totals)}
      {unpriced === undefined ? null : <span className={styles['missing']}>{unpriced}</span>}
    </span>
  )
}
