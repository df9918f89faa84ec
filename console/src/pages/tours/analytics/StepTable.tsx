import { Section } from '../../../parts/Section.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import type { StepNumbers } from './analytics-query.ts'
import { describePercent, describeSeconds } from './analytics-words.ts'

/** Where more than every third of enough visitors leaves, something is wrong with the step. */
const manyLeave = { percent: 33, ofViews: 10 }

const columns: ReadonlyArray<Column<StepNumbers>> = [
  { title: 'Step', placeholderWidth: 160, cell: ({ weight, label }) => `${weight}. ${label}` },
  { title: 'Seen', numeric: true, placeholderWidth: 40, cell: ({ views }) => views.toLocaleString() },
  {
    title: 'Went on',
    numeric: true,
    placeholderWidth: 40,
    cell: ({ completions }) => completions.toLocaleString(),
  },
  {
    title: 'Left here',
    numeric: true,
    placeholderWidth: 40,
    cell: ({ drop_offs }) => drop_offs.toLocaleString(),
  },
  {
    title: 'Drop-off',
    numeric: true,
    placeholderWidth: 48,
    cell: ({ drop_off_rate, views }) =>
      drop_off_rate !== null && drop_off_rate > manyLeave.percent && views >= manyLeave.ofViews ? (
        <Status tone="warn" word={`${describePercent(drop_off_rate)}, many leave here`} />
      ) : (
        describePercent(drop_off_rate)
      ),
  },
  {
    title: 'Time',
    numeric: true,
    placeholderWidth: 48,
    cell: ({ average_time }) => describeSeconds(average_time),
  },
]

/** Every number of every step. */
export function StepTable({ steps }: { steps: readonly StepNumbers[] | undefined }) {
  return (
    <Section title="Step by step" note={steps?.length.toLocaleString()}>
      <Table
        label="Numbers of the steps"
        columns={columns}
        rows={steps}
        rowKey={({ id }) => id}
        placeholderRows={4}
      />
    </Section>
  )
}
