import { type Column, Table } from '../../parts/Table.tsx'
import { describeStepType } from '../executions/execution-words.ts'
import { type FlowStep, stepsOf, type WholeFlow } from '../flows/flow-bodies.ts'

/** The same as the graph, as a list that is read from top to bottom. */
export function FlowSteps({ flow }: { flow: WholeFlow }) {
  return <Table label="Steps" columns={columnsFor(flow)} rows={stepsOf(flow)} rowKey={({ id }) => id} />
}

function columnsFor({ edges, on_demand: onDemand }: WholeFlow): ReadonlyArray<Column<FlowStep>> {
  const before = (id: string) => edges.filter(({ to }) => to === id)
  return [
    { title: 'Step', room: 144, cell: ({ id, label }) => label ?? id },
    { title: 'Id', minor: true, cell: ({ id }) => <code>{id}</code> },
    { title: 'Type', cell: ({ type }) => describeStepType(type) },
    {
      title: 'Comes after',
      cell: ({ id }) =>
        before(id)
          .map(({ from, label }) => (label === null ? from : `${from}, when ${label}`))
          .join('; ') || 'nothing',
    },
    {
      title: 'Runs',
      minor: true,
      cell: ({ id }) =>
        onDemand.includes(id)
          ? 'when an agent adds it'
          : before(id).some(({ kind }) => kind === 'chooses')
            ? 'when it is chosen'
            : 'always',
    },
  ]
}
