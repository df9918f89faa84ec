import '../../../theme/mantine-form.css'
import { ActionIcon, SegmentedControl } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Page } from '../../../parts/Page.tsx'
import { AnalyticsSummary } from './AnalyticsSummary.tsx'
import { analyticsQuery, watchedTourQuery } from './analytics-query.ts'
import { Charts } from './Charts.tsx'
import { ClosedAnalytics, UnseenTour } from './NothingToShow.tsx'
import { StepTable } from './StepTable.tsx'
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
