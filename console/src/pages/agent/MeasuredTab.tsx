import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { TimeChart } from '../../parts/charts/TimeChart.tsx'
import { describeWhole } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Section } from '../../parts/Section.tsx'
import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { type AgentAnalytics, agentAnalyticsQuery, type WholeAgent } from '../agents/agent-queries.ts'
import { describeCost, describePercent, describeShare } from '../agents/agent-words.ts'
import styles from './Agent.module.css'
import { Bars } from './Bars.tsx'

/** The metrics of an agent over all executions. */
export default function MeasuredTab({ agent }: { agent: WholeAgent }) {
  const { data, failure, refetch, dataUpdatedAt } = useApiQuery(agentAnalyticsQuery(useApi(), agent.id))
  if (data === undefined && failure !== null)
    return (
      <FailureNotice what="The metrics could not be loaded." error={failure} onRetry={() => void refetch()} />
    )
  return (
    <>
      <DayNumbers id={agent.id} analytics={data} />
      {data === undefined ? null : (
        <>
          <Section title="Runs by month" note="in workflows, without test runs">
            <MonthChart patterns={data.execution_patterns} now={new Date(dataUpdatedAt)} />
          </Section>
          <div className={styles['pair']}>
            <When patterns={data.execution_patterns} />
            <Where patterns={data.execution_patterns} />
          </div>
        </>
      )}
    </>
  )
}

interface DayNumbersProps {
  readonly id: string
  readonly analytics: AgentAnalytics | undefined
}

function DayNumbers({ id, analytics }: DayNumbersProps) {
  const measured = analytics?.performance_metrics[id]
  const costs = analytics?.cost_analysis
  const score = analytics?.recommendation_scores?.[id]
  const told = <Value,>(words: Value) => (analytics === undefined ? {} : { value: words })
  return (
    <SummaryStrip
      isLoading={analytics === undefined}
      cells={[
        { name: 'Error rate', ...told(describePercent(measured?.error_rate)), note: 'last 24 hours' },
        {
          name: 'Tokens per run',
          ...told(measured?.avg_tokens?.toLocaleString() ?? '–'),
          note: 'input and output',
        },
        { name: 'Confidence', ...told(describeShare(measured?.confidence_score)), note: 'average' },
        {
          name: 'Cost',
          ...told(describeCost(costs?.total_cost_24h)),
          note: `last 24 hours, ${costs?.cost_trends['24h_change'] ?? 'no earlier data'}`,
        },
        {
          name: 'Next 30 days',
          ...told(describeCost(costs?.cost_trends.projected_monthly)),
          note: 'projected',
        },
        {
          name: 'Score',
          ...told(typeof score === 'number' ? describeShare(score) : '–'),
          note: 'for recommendations',
        },
      ]}
    />
  )
}

type Patterns = AgentAnalytics['execution_patterns']

function MonthChart({ patterns, now }: { patterns: Patterns; now: Date }) {
  const line = monthLine(patterns.seasonal_trends.monthly_pattern, now)
  const sum = line.reduce((all, { runs }) => all + runs, 0)
  return (
    <TimeChart
      title="Runs by month"
      places={line.map(({ month }) => ({
        name: describeMonth(month, 'long'),
        shortName: describeMonth(month, 'short'),
      }))}
      series={[{ name: 'Runs', as: 'bars', adds: true, values: line.map(({ runs }) => runs) }]}
      totals={[sum.toLocaleString()]}
      whole="12 months"
      describe={(runs) => runs.toLocaleString()}
      describeAxis={describeWhole}
      empty="No runs in this period."
    />
  )
}

function When({ patterns: { peak_hours: hours, seasonal_trends: seasons } }: { patterns: Patterns }) {
  const bars = Object.entries(hours).map(([hour, runs]) => ({ name: `${hour} UTC`, value: runs }))
  const { weekday_avg: weekday, weekend_avg: weekend } = seasons
  return (
    <Section title="Busiest hours" note="last four weeks">
      <div className={styles['inside']}>
        {bars.length === 0 ? (
          <p className={styles['words']}>No runs in this period.</p>
        ) : (
          <Bars title="Runs by hour" bars={bars} />
        )}
        {weekday === null && weekend === null ? null : (
          <p className={styles['words']}>
            {weekday?.toLocaleString() ?? '–'} runs per weekday, {weekend?.toLocaleString() ?? '–'} per
            weekend day.
          </p>
        )}
      </div>
    </Section>
  )
}

function Where({
  patterns: { common_workflows: workflows, failure_patterns: failures },
}: {
  patterns: Patterns
}) {
  const bars = Object.entries(workflows).map(([name, value]) => ({ name, value }))
  const wrong = Object.entries(failures).map(([name, { executions }]) => ({ name, value: executions }))
  return (
    <Section title="Top workflows" note="executions, last 24 hours">
      <div className={styles['inside']}>
        {bars.length === 0 ? (
          <p className={styles['words']}>No executions in this period.</p>
        ) : (
          <Bars title="Executions by workflow" bars={bars} />
        )}
        {wrong.length === 0 ? null : (
          <>
            <h3>Failures</h3>
            <Bars title="Failures by code" bars={wrong} />
          </>
        )}
      </div>
    </Section>
  )
}

const months = 12

/** A month such as `2026-11`, and its run count. */
interface Month {
  readonly month: string
  readonly runs: number
}

/** The last twelve months in order. Months missing in the pattern had no runs. */
export function monthLine(pattern: Readonly<Record<string, number>>, now: Date): Month[] {
  return Array.from({ length: months }, (_, index) => {
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (months - 1 - index), 1))
    const month = at.toISOString().slice(0, 7)
    return { month, runs: pattern[month] ?? 0 }
  })
}

/** Formats a month such as `2026-11`. */
export function describeMonth(month: string, style: 'long' | 'short'): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString(undefined, {
    month: style,
    ...(style === 'long' ? { year: 'numeric' } : {}),
    timeZone: 'UTC',
  })
}
