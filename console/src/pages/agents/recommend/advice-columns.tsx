import type { Column } from '../../../parts/Table.tsx'
import { AgentLinks } from '../AgentLinks.tsx'
import { describeCost, describeSeconds, describeShare } from '../agent-words.ts'
import type { Advice, Recommendation } from '../workflow-queries.ts'
import { describeMode } from '../workflow-words.ts'

type Factor = NonNullable<Recommendation['explanation']>['match'][number]

/** Agents that work together. */
export const togetherColumns = (
  labelOf: (id: string) => string,
): ReadonlyArray<Column<Advice['workflow_suggestions'][number]>> => [
  { title: 'Agents', minWidth: 192, cell: ({ agents }) => <AgentLinks agents={agents} labelOf={labelOf} /> },
  {
    title: 'Mode',
    value: ({ type }) => describeMode(type),
    minWidth: 112,
    cell: ({ type }) => describeMode(type),
  },
  {
    title: 'Cost',
    value: ({ estimated_total_cost: cost }) => cost,
    numeric: true,
    cell: ({ estimated_total_cost: cost }) => describeCost(cost),
  },
  {
    title: 'Duration',
    value: ({ estimated_total_duration: time }) => time,
    numeric: true,
    cell: ({ estimated_total_duration: time }) => describeSeconds(time),
  },
  {
    title: 'Confidence',
    value: ({ confidence }) => confidence,
    numeric: true,
    minor: true,
    cell: ({ confidence }) => describeShare(confidence),
  },
]

/** Agents that were not considered. */
export const excludedColumns = (
  labelOf: (id: string) => string,
): ReadonlyArray<Column<Advice['excluded_agents'][number]>> => [
  {
    title: 'Agent',
    value: ({ agent_id: agent }) => labelOf(agent),
    minWidth: 160,
    cell: ({ agent_id: agent }) => <AgentLinks agents={[agent]} labelOf={labelOf} />,
  },
  { title: 'Reason', minWidth: 192, cell: ({ reasons }) => reasons.join(' ') },
]

/** What a score consists of. */
export const factorColumns: ReadonlyArray<Column<Factor>> = [
  {
    title: 'Factor',
    value: ({ factor }) => factor,
    minWidth: 80,
    cell: ({ factor }) => factor.replaceAll('_', ' '),
  },
  {
    title: 'Score',
    value: ({ score }) => score,
    numeric: true,
    cell: ({ score }) => (score === null ? 'unknown' : describeShare(score)),
  },
  {
    title: 'Weight',
    value: ({ weight }) => weight,
    numeric: true,
    cell: ({ weight }) => weight.toLocaleString(),
  },
  { title: 'Evidence', minWidth: 192, cell: ({ evidence }) => evidence },
]
