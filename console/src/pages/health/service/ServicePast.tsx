import { DetailBox } from '../../../parts/DetailBox.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { LineChart } from '../../../parts/LineChart.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { ReadableUptimeBars } from '../../../parts/UptimeBars.tsx'
import { describeMilliseconds } from '../../cluster/node-words.ts'
import type { ServiceHistory } from '../health-queries.ts'
import type { HealthRange } from '../health-search.ts'
import { barsOf, describePercentile, describeUptime, wholeOf } from '../history-words.ts'
import { nameStretch } from '../stretch-names.ts'
import styles from './ServicePast.module.css'

interface ServicePastProps {
  readonly history: ServiceHistory | undefined
  readonly range: HealthRange
}

/** How a service was: whether it was there, and how soon it answered. */
export function ServicePast({ history, range }: ServicePastProps) {
  const whole = wholeOf(range)
  const title = `Last ${whole}`
  if (history === undefined) {
    return (
      <DrawerSection title={title}>
        <Skeleton width={240} />
      </DrawerSection>
    )
  }
  if (history.checks === 0) {
    return <DrawerSection title={title} about="No checks in this period." />
  }
  const grain = range === '24h' ? 'quarter' : 'day'
  return (
    <DrawerSection title={title}>
      <ReadableUptimeBars label="Uptime" bars={barsOf(history, range)} whole={whole} />
      <DetailBox
        details={[
          { name: 'Uptime', value: describeUptime(history) },
          { name: 'Checks', value: describeChecks(history) },
          { name: 'p50', value: describePercentile(history.p50_ms) },
          { name: 'p95', value: describePercentile(history.p95_ms) },
          { name: 'p99', value: describePercentile(history.p99_ms) },
          { name: 'Max', value: describePercentile(history.max_ms) },
        ]}
      />
      <div className={styles['chart']}>
        <LineChart
          title="Response time of checks"
          places={history.bars.map(({ at }) => nameStretch(at, grain))}
          series={[{ name: 'Average', values: history.bars.map(({ average_ms }) => average_ms) }]}
          totals={[describePercentile(history.average_ms)]}
          whole={whole}
          describe={describePercentile}
          describeAxis={describeMilliseconds}
        />
      </div>
    </DrawerSection>
  )
}

function describeChecks({ checks, degraded, offline }: ServiceHistory): string {
  const troubles = [
    ...(degraded === 0 ? [] : [`${degraded.toLocaleString()} degraded`]),
    ...(offline === 0 ? [] : [`${offline.toLocaleString()} failed`]),
  ]
  return [checks.toLocaleString(), ...troubles].join(', ')
}
