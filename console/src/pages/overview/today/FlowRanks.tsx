import { Link } from '@tanstack/react-router'
import { Section } from '../../../parts/Section.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { describeDuration } from '../../../time/describe-time.ts'
import styles from './today.module.css'
import type { Overview } from './today-queries.ts'

type Ranked = Overview['slowest'][number]

const workflow: Column<Ranked> = {
  title: 'Workflow',
  value: ({ flow_id, label }) => label ?? flow_id,
  placeholderWidth: 140,
  cell: ({ flow_id, label }) => (
    <Link to="/workflows/$flow" params={{ flow: flow_id }}>
      {label ?? flow_id}
    </Link>
  ),
}

const slowest: ReadonlyArray<Column<Ranked>> = [
  workflow,
  {
    title: 'p95',
    value: ({ p95_duration: seconds }) => seconds,
    numeric: true,
    minWidth: 72,
    cell: ({ p95_duration }) => durationText(p95_duration),
  },
  {
    title: 'Average',
    value: ({ average_duration: seconds }) => seconds,
    numeric: true,
    minWidth: 72,
    cell: ({ average_duration }) => durationText(average_duration),
  },
  {
    title: 'Runs',
    value: ({ executions }) => executions,
    numeric: true,
    cell: ({ executions }) => executions.toLocaleString(),
  },
]

const failing: ReadonlyArray<Column<Ranked>> = [
  workflow,
  {
    title: 'Failed',
    value: ({ failed }) => failed,
    numeric: true,
    cell: ({ failed }) => failed.toLocaleString(),
  },
  {
    title: 'Runs',
    value: ({ executions }) => executions,
    numeric: true,
    cell: ({ executions }) => executions.toLocaleString(),
  },
  {
    title: 'Success',
    value: ({ success_rate: rate }) => rate,
    numeric: true,
    cell: ({ success_rate: rate }) => (rate === null ? '–' : `${Math.round(rate)} %`),
  },
]

function durationText(seconds: number | null): string {
  return seconds === null ? '–' : describeDuration(seconds)
}

/** The slowest workflows, and those that fail most. */
export function FlowRanks({ overview }: { overview: Overview | undefined }) {
  if (overview === undefined || overview.slowest.length + overview.failing.length === 0) return null
  return (
    <div className={styles['pair']}>
      {overview.slowest.length === 0 ? null : (
        <Section title="Slowest workflows">
          <Table
            label="Slowest workflows"
            columns={slowest}
            rows={overview.slowest}
            rowKey={({ flow_id }) => flow_id}
          />
        </Section>
      )}
      {overview.failing.length === 0 ? null : (
        <Section title="Most failures">
          <Table
            label="Most failures"
            columns={failing}
            rows={overview.failing}
            rowKey={({ flow_id }) => flow_id}
          />
        </Section>
      )}
    </div>
  )
}
