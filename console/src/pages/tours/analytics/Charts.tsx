import { DayChart } from '../../../parts/DayChart.tsx'
import { describeRoughly } from '../../../parts/describe-amount.ts'
import { Section } from '../../../parts/Section.tsx'
import type { TourAnalytics } from './analytics-query.ts'
import { dropOffsOf, funnelOf, type StepBar, seriesOf, timesOf } from './analytics-words.ts'
import styles from './Charts.module.css'

const describe = (value: number) => value.toLocaleString()
/** Visitors come whole. */
const describeAxis = (value: number) => (Number.isInteger(value) ? describeRoughly(value) : '')

/** How far visitors come, where they leave, how long they stay, and all of it by day. */
export function Charts({ analytics }: { analytics: TourAnalytics | undefined }) {
  return (
    <>
      <Section title="By day" note="visitors">
        {analytics === undefined ? (
          <div className={styles['placeholder']} aria-busy />
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
        <StepChart title="Funnel" bars={analytics && funnelOf(analytics)} />
        <StepChart
          title="Drop-off"
          note="of visitors who saw the step"
          bars={analytics && dropOffsOf(analytics.steps)}
        />
        <StepChart title="Time per step" note="average" bars={analytics && timesOf(analytics.steps)} />
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
        <div className={styles['placeholder']} aria-busy />
      ) : (
        <StepBars label={title} bars={bars} />
      )}
    </Section>
  )
}

/** A bar for each step, with its value as text for screen readers. */
function StepBars({ label, bars }: { label: string; bars: readonly StepBar[] }) {
  return (
    <ol className={styles['bars']} aria-label={label}>
      {bars.map(({ key, name, percent, value, note }) => (
        <li key={key}>
          <span className={styles['name']}>{name}</span>
          <span className={styles['numbers']}>
            <strong>{value}</strong>
            {note === undefined ? null : <span className={styles['note']}>{note}</span>}
          </span>
          <svg className={styles['bar']} aria-hidden>
            <rect className={styles['whole']} width="100%" height="8" rx="2" />
            <rect className={styles['part']} width={`${percent}%`} height="8" rx="2" />
          </svg>
        </li>
      ))}
    </ol>
  )
}
