import '../../../theme/mantine-form.css'
import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { DayChart } from '../../../parts/DayChart.tsx'
import { describeRoughly } from '../../../parts/describe-amount.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Section, Surface } from '../../../parts/Section.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type SummaryCell, SummaryStrip } from '../../../parts/SummaryStrip.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { analyticsQuery, type StepNumbers, type TourAnalytics, watchedTourQuery } from './analytics-query.ts'
import {
  describePercent,
  describeSeconds,
  dropOffsOf,
  funnelOf,
  type StepBar,
  seriesOf,
  shareOf,
  timesOf,
} from './analytics-words.ts'
import styles from './TourAnalyticsPage.module.css'
import { type TourAnalyticsSearch, timeframes, usualTimeframe } from './tour-analytics-search.ts'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour/analytics')

/** Visitor statistics of a tour: its funnel, drop-offs and times, by day. */
export function TourAnalyticsPage() {
  const api = useApi()
  const { tour: id } = route.useParams()
  const { timeframe = usualTimeframe } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: tour } = useQuery(watchedTourQuery(api, id))
  const {
    data: analytics,
    failure,
    refetch,
    isPlaceholderData,
  } = useApiQuery(analyticsQuery(api, id, timeframe))
  const show = (search: TourAnalyticsSearch) => void navigate({ search, replace: true, resetScroll: false })

  if (failure instanceof ApiFailure && (failure.status === 403 || failure.status === 404)) {
    return (
      <Page title="Analytics">
        <ClosedAnalytics id={id} isMissing={failure.status === 404} />
      </Page>
    )
  }
  const isUnseen = analytics?.totals.views === 0 && !isPlaceholderData
  return (
    <Page
      title="Analytics"
      lead={
        <>
          Visitor statistics of{' '}
          <Link to="/admin/structure/recipe-onboarding/tours/$tour" params={{ tour: id }}>
            {tour?.label ?? id}
          </Link>
          . Days are in UTC.
        </>
      }
      aside={
        <ActionIcon size={28} aria-label="Refresh" title="Refresh" onClick={() => void refetch()}>
          <IconRefresh size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      }
    >
      <div className={styles['tools']}>
        <SegmentedControl
          size="xs"
          aria-label="Time range"
          value={timeframe}
          onChange={(value) => {
            const chosen = timeframes.find(({ name }) => name === value)?.name
            show(chosen === undefined || chosen === usualTimeframe ? {} : { timeframe: chosen })
          }}
          data={timeframes.map(({ name, title }) => ({ value: name, label: title }))}
        />
        {(['days', 'steps'] as const).map((table) => (
          <Button
            key={table}
            size="compact-sm"
            variant="default"
            component="a"
            href={`/tours/analytics/${encodeURIComponent(id)}?timeframe=${timeframe}&table=${table}`}
            download
          >
            {table === 'days' ? 'Days as CSV' : 'Steps as CSV'}
          </Button>
        ))}
      </div>
      {analytics === undefined && failure !== null ? (
        <FailureNotice
          what="The analytics could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <AnalyticsSummary totals={analytics?.totals} />
          {isUnseen ? (
            <UnseenTour id={id} isPublished={tour?.status} />
          ) : (
            <>
              <Charts analytics={analytics} />
              <StepTable steps={analytics?.steps} />
            </>
          )}
        </>
      )}
    </Page>
  )
}

/** The totals of the timeframe in one line. */
function AnalyticsSummary({ totals }: { totals: TourAnalytics['totals'] | undefined }) {
  return <SummaryStrip cells={cellsOf(totals)} isLoading={totals === undefined} />
}

function cellsOf(totals: TourAnalytics['totals'] | undefined): readonly SummaryCell[] {
  if (totals === undefined) {
    return ['Views', 'Started', 'Completed', 'Dismissed', 'Time to complete'].map((name) => ({ name }))
  }
  const { views, starts, completions, dismissals, completion_rate } = totals
  const { average_duration, average_dismissal_duration } = totals
  return [
    { name: 'Views', value: views.toLocaleString(), note: 'first step shown' },
    {
      name: 'Started',
      value: starts.toLocaleString(),
      note: views === 0 ? 'no views yet' : `${describePercent(shareOf(starts, views))} of views`,
    },
    {
      name: 'Completed',
      value: completions.toLocaleString(),
      note: starts === 0 ? 'no starts yet' : `${describePercent(completion_rate)} of starts`,
    },
    {
      name: 'Dismissed',
      value: dismissals.toLocaleString(),
      note:
        average_dismissal_duration === null
          ? 'before completion'
          : `after ${describeSeconds(average_dismissal_duration)} on average`,
    },
    { name: 'Time to complete', value: describeSeconds(average_duration), note: 'on average' },
  ]
}

/** A step is marked when more than every third visitor leaves there, given enough views. */
const manyLeave = { percent: 33, ofViews: 10 }

const columns: ReadonlyArray<Column<StepNumbers>> = [
  {
    title: 'Step',
    value: ({ weight }) => weight,
    placeholderWidth: 160,
    cell: ({ weight, label }) => `${weight}. ${label}`,
  },
  {
    title: 'Views',
    value: ({ views }) => views,
    numeric: true,
    placeholderWidth: 40,
    cell: ({ views }) => views.toLocaleString(),
  },
  {
    title: 'Continued',
    value: ({ completions }) => completions,
    numeric: true,
    placeholderWidth: 40,
    cell: ({ completions }) => completions.toLocaleString(),
  },
  {
    title: 'Left',
    value: ({ drop_offs: count }) => count,
    numeric: true,
    placeholderWidth: 40,
    cell: ({ drop_offs }) => drop_offs.toLocaleString(),
  },
  {
    title: 'Drop-off',
    value: ({ drop_off_rate: rate }) => rate,
    numeric: true,
    placeholderWidth: 48,
    cell: ({ drop_off_rate, views }) =>
      drop_off_rate !== null && drop_off_rate > manyLeave.percent && views >= manyLeave.ofViews ? (
        <Status tone="warn" word={`${describePercent(drop_off_rate)}, high drop-off`} />
      ) : (
        describePercent(drop_off_rate)
      ),
  },
  {
    title: 'Missing',
    value: ({ missing }) => missing,
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ missing }) => (
      <span title="Times the element of the step did not appear">{missing.toLocaleString()}</span>
    ),
  },
  {
    title: 'Time',
    value: ({ average_time: seconds }) => seconds,
    numeric: true,
    placeholderWidth: 48,
    cell: ({ average_time }) => describeSeconds(average_time),
  },
]

/** The statistics of every step. */
function StepTable({ steps }: { steps: readonly StepNumbers[] | undefined }) {
  return (
    <Section title="Steps" note={steps?.length.toLocaleString()}>
      <Table
        label="Step statistics"
        columns={columns}
        rows={steps}
        rowKey={({ id }) => id}
        placeholderRows={4}
      />
    </Section>
  )
}

const toursPath = '/admin/structure/recipe-onboarding/tours'

/** The tour has no views: it is a draft, or no visitor came. */
function UnseenTour({ id, isPublished }: { id: string; isPublished: boolean | undefined }) {
  return (
    <Surface>
      <EmptyState
        sentence={
          isPublished === false
            ? 'This tour is a draft. Publish it to show it to visitors.'
            : 'No views in this period.'
        }
        action={
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => (
              <Link to="/admin/structure/recipe-onboarding/tours/$tour" params={{ tour: id }} {...props} />
            )}
          >
            Open tour
          </Button>
        }
        link={<a href={`${toursPath}/${id}/preview`}>Preview</a>}
      />
    </Surface>
  )
}

/** Shown when the account may not see the statistics, or the tour does not exist. */
function ClosedAnalytics({ id, isMissing }: { id: string; isMissing: boolean }) {
  return (
    <Surface>
      <EmptyState
        sentence={
          isMissing
            ? `There is no tour “${id}”. It may have been deleted.`
            : 'Viewing tour analytics requires the permission “view recipe tour analytics”. Ask an administrator for it.'
        }
        action={
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to={toursPath} {...props} />}
          >
            View all tours
          </Button>
        }
        link={<Link to="/profile">View your permissions</Link>}
      />
    </Surface>
  )
}

const describe = (value: number) => value.toLocaleString()
/** The axis shows whole numbers only: visitors have no fractions. */
const describeAxis = (value: number) => (Number.isInteger(value) ? describeRoughly(value) : '')

/** The charts: funnel, drop-offs, time per step, and visitors by day. */
function Charts({ analytics }: { analytics: TourAnalytics | undefined }) {
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
