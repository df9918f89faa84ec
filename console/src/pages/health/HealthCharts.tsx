import { describeRoughly } from '../../parts/describe-amount.ts'
import { LineChart } from '../../parts/LineChart.tsx'
import { Section } from '../../parts/Section.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import styles from './HealthCharts.module.css'
import { describePercentile, wholeOf } from './history-words.ts'
import { sumPoints } from './series-sums.ts'
import type { MetricsSeries } from './status-bodies.ts'
import { nameStretch } from './stretch-names.ts'

/** How soon the platform answered, and what models read and wrote. */
export function HealthCharts({ series }: { series: MetricsSeries | undefined }) {
  return (
    <div className={styles['pair']}>
      <Section title="Response time" note="of all answers">
        {series === undefined ? <Room /> : <LatencyChart series={series} />}
      </Section>
      <Section title="Tokens" note="of all models">
        {series === undefined ? <Room /> : <TokenChart series={series} />}
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
        { name: 'Longest', values: points.map(({ max_ms }) => max_ms) },
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

/** As high as the chart that is on its way. */
function Room() {
  return <div className={styles['room']} aria-busy />
}
