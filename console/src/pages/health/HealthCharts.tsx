import { describeRoughly } from '../../parts/describe-amount.ts'
import { LineChart } from '../../parts/LineChart.tsx'
import { Section } from '../../parts/Section.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import styles from './HealthCharts.module.css'
import type { MetricsSeries } from './health-queries.ts'
import { describePercentile, wholeOf } from './history-words.ts'
import { sumPoints } from './series-sums.ts'
import { nameStretch } from './stretch-names.ts'

/** How soon the platform answered, and what models read and wrote. */
export function HealthCharts({ series }: { series: MetricsSeries | undefined }) {
  return (
    <div className={styles['pair']}>
      <Section title="Response time" note="all requests">
        {series === undefined ? <ChartPlaceholder /> : <LatencyChart series={series} />}
      </Section>
      <Section title="Tokens" note="all models">
        {series === undefined ? <ChartPlaceholder /> : <TokenChart series={series} />}
      </Section>
    </div>
  )
}

function LatencyChart({ series: { points, grain, range } }: { series: MetricsSeries }) {
  const { averageMs, maxMs } = sumPoints(points)
  return (
    <LineChart
      title="Response time"
      places={points.map(({ at }) => nameStretch(at, grain))}
      series={[
        { name: 'Average', values: points.map(({ average_ms }) => average_ms) },
        { name: 'Max', values: points.map(({ max_ms }) => max_ms) },
      ]}
      totals={[describePercentile(averageMs), describePercentile(maxMs)]}
      whole={wholeOf(range)}
      describe={describePercentile}
      describeAxis={describeMilliseconds}
    />
  )
}

function TokenChart({ series: { points, grain, range } }: { series: MetricsSeries }) {
  const { inputTokens, outputTokens } = sumPoints(points)
  return (
    <LineChart
      title="Tokens"
      places={points.map(({ at }) => nameStretch(at, grain))}
      series={[
        { name: 'In', values: points.map(({ input_tokens }) => input_tokens) },
        { name: 'Out', values: points.map(({ output_tokens }) => output_tokens) },
      ]}
      totals={[inputTokens.toLocaleString(), outputTokens.toLocaleString()]}
      whole={wholeOf(range)}
      describe={(tokens) => tokens.toLocaleString()}
      describeAxis={describeRoughly}
    />
  )
}

/** A placeholder of the chart's height. */
function ChartPlaceholder() {
  return <div className={styles['placeholder']} aria-busy />
}
