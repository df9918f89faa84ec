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

/** The shared memory, in the order of the writes. */
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

function columnsFor(trace: Trace): ReadonlyArray<Column<Growth>> {
  return [
    { title: 'Key', value: ({ key }) => key, cell: ({ key }) => <code>{key}</code> },
    { title: 'Written by', value: ({ step_id }) => step_id, cell: ({ step_id }) => step_id },
    {
      title: 'Size',
      numeric: true,
      value: ({ bytes }) => bytes,
      cell: ({ bytes }) => `${bytes.toLocaleString()} bytes`,
    },
    {
      title: 'After',
      numeric: true,
      value: ({ at }) => at,
      cell: ({ at }) => describeDuration(activeUntil(trace, at)),
    },
  ]
}

/** The seconds in which workers ran the execution up to a moment. */
export function activeUntil(
  { created_at: created, started_at: started, idle }: ActiveTimes,
  at: number,
): number {
  const idleSeconds = idle.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, at) - from), 0)
  return Math.max(0, at - (started ?? created) - idleSeconds)
}

type ActiveTimes = Pick<Trace, 'created_at' | 'started_at' | 'idle'>
