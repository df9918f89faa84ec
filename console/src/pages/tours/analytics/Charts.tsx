import { DayChart } from '../../../parts/DayChart.tsx'
import { describeRoughly } from '../../../parts/describe-amount.ts'
import { Section } from '../../../parts/Section.tsx'
import type { TourAnalytics } from './analytics-query.ts'
import { dropOffsOf, funnelOf, type StepBar, seriesOf, timesOf } from './analytics-words.ts'
import styles from './Charts.module.css'
import { StepBars } from './StepBars.tsx'

const describe = (value: number) => value.toLocaleString()
/** Visitors come whole. */
const describeAxis = (value: number) => (Number.isInteger(value) ? describeRoughly(value) : '')

/** How far visitors come, where they leave, how long they stay, and all of it by day. */
export function Charts({ analytics }: { analytics: TourAnalytics | undefined }) {
  return (
    <>
      <Section title="By day" note="visitors">
        {analytics === undefined ? (
          <div className={styles['room']} aria-busy />
        ) : (
          <DayChart
            title="Visitors by day"
            days={analytics.daily.map(({ date }) => date)}
            series={seriesOf(analytics.daily)}
            describe={describe}
            describeAxis={describeAxis}
          />
        )}
      </Section>
      <div className={styles['charts']}>
        <StepChart title="How far they come" bars={analytics && funnelOf(analytics)} />
        <StepChart
          title="Where they leave"
          note="of those who saw the step"
          bars={analytics && dropOffsOf(analytics.steps)}
        />
        <StepChart
          title="How long they stay"
          note="on average"
          bars={analytics && timesOf(analytics.steps)}
        />
      </div>
    </>
  )
}

interface StepChartProps {
  readonly title: string
  readonly note?: string
  readonly bars: readonly StepBar[] | undefined
}

function StepChart({ title, note, bars }: StepChartProps) {
  return (
    <Section title={title} note={note}>
      {bars === undefined ? (
        <div className={styles['room']} aria-busy />
      ) : (
        <StepBars label={title} bars={bars} />
      )}
    </Section>
  )
}
