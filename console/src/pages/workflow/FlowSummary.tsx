import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { PeriodChoice } from '../../parts/RangeChoice.tsx'
import { Surface } from '../../parts/Section.tsx'
import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { describeCost, describePercent, describeSeconds } from '../agents/agent-words.ts'
import { type Timeframe, timeframes } from '../overview/overview-search.ts'
import { RunsChart } from '../overview/today/RunsChart.tsx'
import { flowStatsQuery, type WholeFlow } from '../workflows/flow-queries.ts'

interface FlowSummaryProps {
  readonly flow: WholeFlow
  readonly timeframe: Timeframe
  readonly onTimeframe: (timeframe: Timeframe) => void
  readonly showsChart: boolean
}

/** The statistics of the workflow in a period, its runs over time, and its version. */
export function FlowSummary({ flow, timeframe, onTimeframe, showsChart }: FlowSummaryProps) {
  const isCurrent = flow.revision === flow.current_revision
  const { data: stats } = useQuery(flowStatsQuery(useApi(), { id: flow.id, timeframe }))
  const isOwn = stats?.of === 'own'
  return (
    <>
      <PeriodChoice names={timeframes} value={timeframe} onChange={onTimeframe} />
      <SummaryStrip
        isLoading={stats === undefined}
        cells={[
          {
            name: 'Success rate',
            value: stats && describePercent(stats.success_rate),
            note: isOwn ? 'your finished runs' : 'finished runs',
          },
          {
            name: 'Duration, p95',
            value: stats && describeSeconds(stats.p95_duration),
            note: isOwn ? 'your newest 50 runs' : 'completed runs',
          },
          {
            name: 'Cost per run',
            value: stats && describeCost(stats.average_cost),
            note: isOwn ? 'of your newest 50 runs' : 'average',
          },
          {
            name: 'Runs',
            value: stats?.executions.toLocaleString(),
            note: stats && `${stats.failed.toLocaleString()} failed`,
          },
          {
            name: 'Version',
            value: flow.version,
            note: isCurrent ? 'current' : `revision ${flow.revision} of ${flow.current_revision}`,
          },
          {
            name: 'Steps',
            value: flow.steps.toLocaleString(),
            note: flow.approval_required
              ? 'runs require approval'
              : flow.required_inputs.length === 0
                ? 'no required input'
                : `require ${flow.required_inputs.join(', ')}`,
          },
        ]}
      />
      {showsChart && stats !== undefined && stats.executions > 0 ? (
        <Surface>
          <RunsChart title="Runs over time" period={stats} totals={stats} />
        </Surface>
      ) : null}
    </>
  )
}
