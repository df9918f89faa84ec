import '../../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import { DayChart } from '../../parts/DayChart.tsx'
import { Section } from '../../parts/Section.tsx'
import { mostSeries } from '../../parts/SeriesPatterns.tsx'
import { describeProvider } from '../providers/provider-words.ts'
import { measures, usualMeasure } from './measures.ts'
import { listDays } from './ranges.ts'
import { toSeries } from './series.ts'
import styles from './UsageChart.module.css'
import type { UsageReport } from './usage-bodies.ts'
import type { Measure } from './usage-search.ts'

interface UsageChartProps {
  /** By day and model, or by day and provider. */
  readonly report: UsageReport | undefined
  readonly by: 'model' | 'provider'
  /** Undefined until somebody chose. */
  readonly measure: Measure | undefined
  readonly onMeasure: (measure: Measure) => void
  readonly onBy: (by: 'model' | 'provider') => void
}

const measureChoices = Object.entries(measures).map(([value, { title }]) => ({ value, label: title }))

/** What every day took, and of whom. */
export function UsageChart({ report, by, measure, onMeasure, onBy }: UsageChartProps) {
  const chosen = measure ?? (report === undefined ? 'calls' : usualMeasure(report.totals))
  const { title, valueOf, describe, describeAxis } = measures[chosen]
  const days = report === undefined ? [] : listDays(report)
  const series =
    report === undefined
      ? []
      : toSeries(report.rows, {
          days,
          most: mostSeries,
          valueOf,
          // What was told before stays until what was asked for comes, and names itself.
          nameOf: ({ model, provider = '' }) => model ?? describeProvider(provider),
        })
  return (
    <Section
      title="By day"
      note="in UTC"
      aside={
        <>
          <SegmentedControl
            size="xs"
            aria-label="What is measured"
            value={chosen}
            onChange={(value) => onMeasure(value === 'cost' || value === 'tokens' ? value : 'calls')}
            data={measureChoices}
          />
          <SegmentedControl
            size="xs"
            aria-label="Told apart by"
            value={by}
            onChange={(value) => onBy(value === 'provider' ? 'provider' : 'model')}
            data={[
              { value: 'model', label: 'Models' },
              { value: 'provider', label: 'Providers' },
            ]}
          />
        </>
      }
    >
      {report === undefined ? (
        <div className={styles['room']} aria-busy />
      ) : series.length === 0 ? (
        <p className={styles['none']}>
          {chosen === 'cost'
            ? 'Nothing in these days cost anything that is known.'
            : 'Nothing in these days.'}
        </p>
      ) : (
        <DayChart
          title={`${title} by ${by}`}
          days={days}
          series={series}
          describe={describe}
          describeAxis={describeAxis}
        />
      )}
    </Section>
  )
}
