import { Facts } from '../../../parts/Facts.tsx'
import { Section } from '../../../parts/Section.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { AgentLinks } from '../../agents/AgentLinks.tsx'
import { describeCost, describeSeconds, describeShare } from '../../agents/agent-words.ts'
import type { Advice } from '../workflow-bodies.ts'
import { describeMode } from '../workflow-words.ts'
import styles from './Advice.module.css'
import { RecommendationCard } from './RecommendationCard.tsx'

interface AdviceResultsProps {
  readonly advice: Advice
  readonly labelOf: (id: string) => string
}

/** Which agents suit, the best first, what goes together, and who was left out for which reason. */
export function AdviceResults({ advice, labelOf }: AdviceResultsProps) {
  const { recommendations, workflow_suggestions: together, excluded_agents: excluded } = advice
  return (
    <>
      <Section
        title="Recommended"
        note={`${recommendations.length} of ${advice.total_agents_analyzed} agents, the best first`}
      >
        {recommendations.length === 0 ? (
          <p className={styles['inside']}>No agent meets all of this; below stands what each one lacks.</p>
        ) : (
          <ol className={styles['cards']}>
            {recommendations.map((recommendation, index) => (
              <li key={recommendation.agent_id}>
                <RecommendationCard recommendation={recommendation} place={index + 1} />
              </li>
            ))}
          </ol>
        )}
      </Section>
      {recommendations.length === 0 ? null : <CostOfFirst advice={advice} />}
      {together.length === 0 ? null : (
        <Section title="What goes together">
          <Table
            label="What goes together"
            columns={togetherColumns(labelOf)}
            rows={together}
            rowKey={({ type, agents }) => `${type} ${agents.join(' ')}`}
          />
        </Section>
      )}
      {excluded.length === 0 ? null : (
        <Section title="Left out">
          <Table
            label="Left out"
            columns={excludedColumns(labelOf)}
            rows={excluded}
            rowKey={({ agent_id: id }) => id}
          />
        </Section>
      )}
    </>
  )
}

function CostOfFirst({ advice: { cost_breakdown: cost, recommendations } }: { advice: Advice }) {
  return (
    <Section title={`What a run of ${recommendations[0]?.label ?? ''} would cost`}>
      <Facts
        facts={[
          { name: 'The model', value: describeCost(cost.base_processing) },
          { name: 'The agent', value: describeCost(cost.premium_features) },
          { name: 'Together', value: describeCost(cost.total_estimated) },
          { name: 'Less in a batch', value: describeCost(cost.bulk_discount) },
        ]}
      />
    </Section>
  )
}

const togetherColumns = (
  labelOf: (id: string) => string,
): ReadonlyArray<Column<Advice['workflow_suggestions'][number]>> => [
  { title: 'Agents', room: 192, cell: ({ agents }) => <AgentLinks agents={agents} labelOf={labelOf} /> },
  { title: 'How', room: 112, cell: ({ type }) => describeMode(type) },
  { title: 'Would cost', numeric: true, cell: ({ estimated_total_cost: cost }) => describeCost(cost) },
  { title: 'Would take', numeric: true, cell: ({ estimated_total_duration: time }) => describeSeconds(time) },
  { title: 'How sure', numeric: true, minor: true, cell: ({ confidence }) => describeShare(confidence) },
]

const excludedColumns = (
  labelOf: (id: string) => string,
): ReadonlyArray<Column<Advice['excluded_agents'][number]>> => [
  {
    title: 'Agent',
    room: 160,
    cell: ({ agent_id: agent }) => <AgentLinks agents={[agent]} labelOf={labelOf} />,
  },
  { title: 'Why', room: 192, cell: ({ reasons }) => reasons.join(' ') },
]
