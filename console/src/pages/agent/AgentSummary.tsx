import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import type { WholeAgent } from '../agents/agent-bodies.ts'
import {
  describeCost,
  describeFee,
  describePercent,
  describeRating,
  describeSeconds,
} from '../agents/agent-words.ts'

/** How an agent did, at a glance. */
export function AgentSummary({ agent: { performance_metrics: measured, pricing } }: { agent: WholeAgent }) {
  const runs = measured?.executions_24h ?? 0
  return (
    <SummaryStrip
      isLoading={false}
      cells={[
        { name: 'Success', value: describePercent(measured?.success_rate), note: 'of its runs in 30 days' },
        {
          name: 'Cost of one',
          value: describeCost(measured?.average_cost),
          note: `the agent itself takes ${describeFee(pricing)}`,
        },
        {
          name: 'Time of one',
          value: describeSeconds(measured?.average_duration),
          note: 'of those that succeeded',
        },
        { name: 'Runs', value: runs.toLocaleString(), note: 'in the last 24 hours' },
        { name: 'Rating', value: describeRating(measured?.user_rating), note: 'by those who used it' },
      ]}
    />
  )
}
