import '../../../theme/mantine-form.css'
import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Section, Surface } from '../../../parts/Section.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type SummaryCell, SummaryStrip } from '../../../parts/SummaryStrip.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { analyticsQuery, type StepNumbers, type TourAnalytics, watchedTourQuery } from './analytics-query.ts'
import { describePercent, describeSeconds, shareOf } from './analytics-words.ts'
import { Charts } from './Charts.tsx'
import styles from './TourAnalyticsPage.module.css'
import { type TourAnalyticsSearch, timeframes, usualTimeframe } from './tour-analytics-search.ts'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour/analytics')

/** What visitors did with a tour: how far they came, where they left, how long it took, day by day. */
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
  } = useAnswer(analyticsQuery(api, id, timeframe))
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
          What visitors did with{' '}
          <Link to="/admin/structure/recipe-onboarding/tours/$tour" params={{ tour: id }}>
            {tour?.label ?? id}
          </Link>
          . Days begin at midnight UTC.
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
          aria-label="How far back"
          value={timeframe}
          onChange={(value) => {
            const chosen = timeframes.find(({ name }) => name === value)?.name
            show(chosen === undefined || chosen === usualTimeframe ? {} : { timeframe: chosen })
          }}
          data={timeframes.map(({ name, title }) => ({ value: name, label: title }))}
        />
      </div>
      {analytics === undefined && failure !== null ? (
        <FailureNotice
          what="The analytics could not be read."
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

/** The whole time in one line. */
function AnalyticsSummary({ totals }: { totals: TourAnalytics['totals'] | undefined }) {
  return <SummaryStrip cells={cellsOf(totals)} isLoading={totals === undefined} />
}

function cellsOf(totals: TourAnalytics['totals'] | undefined): readonly SummaryCell[] {
  if (totals === undefined) {
    return ['Seen', 'Started', 'Completed', 'Dismissed', 'Time to the end'].map((name) => ({ name }))
  }
  const { views, starts, completions, dismissals, completion_rate } = totals
  const { average_duration, average_dismissal_duration } = totals
  return [
    { name: 'Seen', value: views.toLocaleString(), note: 'its first step appeared' },
    {
      name: 'Started',
      value: starts.toLocaleString(),
      note: `${describePercent(shareOf(starts, views))} of those who saw it`,
    },
    {
      name: 'Completed',
      value: completions.toLocaleString(),
      note: `${describePercent(completion_rate)} of those who started`,
    },
    {
      name: 'Dismissed',
      value: dismissals.toLocaleString(),
      note:
        average_dismissal_duration === null
          ? 'before the end'
          : `after ${describeSeconds(average_dismissal_duration)} on average`,
    },
    { name: 'Time to the end', value: describeSeconds(average_duration), note: 'on average' },
  ]
}

/** Where more than every third of enough visitors leaves, something is wrong with the step. */
const manyLeave = { percent: 33, ofViews: 10 }

const columns: ReadonlyArray<Column<StepNumbers>> = [
  { title: 'Step', placeholderWidth: 160, cell: ({ weight, label }) => `${weight}. ${label}` },
  { title: 'Seen', numeric: true, placeholderWidth: 40, cell: ({ views }) => views.toLocaleString() },
  {
    title: 'Went on',
    numeric: true,
    placeholderWidth: 40,
    cell: ({ completions }) => completions.toLocaleString(),
  },
  {
    title: 'Left here',
    numeric: true,
    placeholderWidth: 40,
    cell: ({ drop_offs }) => drop_offs.toLocaleString(),
  },
  {
    title: 'Drop-off',
    numeric: true,
    placeholderWidth: 48,
    cell: ({ drop_off_rate, views }) =>
      drop_off_rate !== null && drop_off_rate > manyLeave.percent && views >= manyLeave.ofViews ? (
        <Status tone="warn" word={`${describePercent(drop_off_rate)}, many leave here`} />
      ) : (
        describePercent(drop_off_rate)
      ),
  },
  {
    title: 'Time',
    numeric: true,
    placeholderWidth: 48,
    cell: ({ average_time }) => describeSeconds(average_time),
  },
]

/** Every number of every step. */
function StepTable({ steps }: { steps: readonly StepNumbers[] | undefined }) {
  return (
    <Section title="Step by step" note={steps?.length.toLocaleString()}>
      <Table
        label="Numbers of the steps"
        columns={columns}
        rows={steps}
        rowKey={({ id }) => id}
        placeholderRows={4}
      />
    </Section>
  )
}

const toursPath = '/admin/structure/recipe-onboarding/tours'

/** Nobody saw the tour: because it is a draft, or because nobody came. */
function UnseenTour({ id, isPublished }: { id: string; isPublished: boolean | undefined }) {
  return (
    <Surface>
      <EmptyState
        sentence={
          isPublished === false
            ? 'The tour is a draft: visitors see it once it is published.'
            : 'Nobody has seen this tour in these days.'
        }
        action={
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => (
              <Link to="/admin/structure/recipe-onboarding/tours/$tour" params={{ tour: id }} {...props} />
            )}
          >
            Open the tour
          </Button>
        }
        link={<a href={`${toursPath}/${id}/preview`}>See it as visitors would</a>}
      />
    </Surface>
  )
}

/** The numbers are not for this account, or the tour is gone. */
function ClosedAnalytics({ id, isMissing }: { id: string; isMissing: boolean }) {
  return (
    <Surface>
      <EmptyState
        sentence={
          isMissing
            ? `There is no tour “${id}”. Somebody may have deleted it.`
            : 'Your account may not see these numbers: it needs the permission “view recipe tour analytics”. An administrator can give it to you.'
        }
        action={
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to={toursPath} {...props} />}
          >
            See all tours
          </Button>
        }
        link={<Link to="/profile">See what you may do</Link>}
      />
    </Surface>
  )
}
