import { Button } from '@mantine/core'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { describeDuration } from '../../time/describe-time.ts'
import type { Trace } from '../executions/execution-queries.ts'

type Growth = Trace['memory'][number]

interface MemoryTabProps {
  readonly trace: Trace
  readonly onSelect: (step: string) => void
}

/** The shared memory, in the order it was written. */
export function MemoryTab({ trace, onSelect }: MemoryTabProps) {
  if (trace.memory.length === 0) {
    return (
      <EmptyState
        sentence="The shared memory is empty."
        action={
          <Button size="compact-sm" variant="default" onClick={() => onSelect(trace.steps[0]?.step_id ?? '')}>
            Show the first step
          </Button>
        }
        link={<a href={apiReferencePath}>About output_to_memory</a>}
      />
    )
  }
  return (
    <Table
      label="Shared memory"
      columns={columnsFor(trace)}
      rows={trace.memory}
      rowKey={({ key, step_id, at }) => `${key} ${step_id} ${at}`}
      onOpen={({ step_id }) => onSelect(step_id)}
    />
  )
}

function columnsFor({ started_at: started }: Trace): ReadonlyArray<Column<Growth>> {
  return [
    { title: 'Key', cell: ({ key }) => <code>{key}</code> },
    { title: 'Written by', cell: ({ step_id }) => step_id },
    { title: 'Size', numeric: true, cell: ({ bytes }) => `${bytes.toLocaleString()} bytes` },
    {
      title: 'After',
      numeric: true,
      cell: ({ at }) => (started === null ? '–' : describeDuration(Math.max(0, at - started))),
    },
  ]
}
