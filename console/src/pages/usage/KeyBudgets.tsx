import { Link } from '@tanstack/react-router'
import { describeDollars } from '../../parts/describe-amount.ts'
import { Meter } from '../../parts/Meter.tsx'
import { Section } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import styles from './KeyBudgets.module.css'
import type { Budget } from './usage-queries.ts'

type KeyBudget = Budget['keys'][number]

interface KeyBudgetsProps {
  readonly keys: readonly KeyBudget[]
  /** Only this key; all when undefined. */
  readonly only: string | undefined
}

const periods = [
  ['day', 'Today'],
  ['month', 'This month'],
  ['total', 'Total'],
] as const

const columns: ReadonlyArray<Column<KeyBudget>> = [
  {
    title: 'API key',
    value: ({ name }) => name,
    minWidth: 96,
    cell: ({ id, name }) => (
      <Link from="/usage" to="/usage" search={(now) => ({ ...now, key: id })}>
        {name}
      </Link>
    ),
  },
  ...periods.map(
    ([period, title]): Column<KeyBudget> => ({
      title,
      value: (key) => key[period].spent_micro_dollars,
      minWidth: 96,
      cell: (key) => <PeriodBudget label={`${key.name}: ${title}`} period={key[period]} />,
    }),
  ),
]

/** The budgets of the user's API keys; nothing when none has a budget. */
export function KeyBudgets({ keys, only }: KeyBudgetsProps) {
  const shown = keys.filter(({ id }) => only === undefined || id === only)
  if (shown.length === 0) return null
  return (
    <Section title="API key budgets" note={shown.length.toLocaleString()}>
      <Table label="API key budgets" name="keys" columns={columns} rows={shown} rowKey={({ id }) => id} />
    </Section>
  )
}

function PeriodBudget({ label, period }: { label: string; period: KeyBudget['day'] }) {
  const { limit_micro_dollars: limit, spent_micro_dollars: spent, reserved_micro_dollars: reserved } = period
  if (limit === null) return <span title="No limit">{describeDollars(spent)}</span>
  const words = `${describeDollars(spent)} of ${describeDollars(limit)}`
  const more = reserved === 0 ? '' : `, ${describeDollars(reserved)} reserved`
  return (
    <span className={styles['period']} title={`${words} spent${more}`}>
      <span>
        {words}
        {more}
      </span>
      <Meter label={label} words={`${words} spent${more}`} most={limit} spent={spent} reserved={reserved} />
    </span>
  )
}
