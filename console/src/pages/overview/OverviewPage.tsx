import '../../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { accessOf, type OverviewAccess } from './overview-access.ts'
import { readOverviewSearch } from './overview-search.ts'
import { SystemFreshness } from './SystemFreshness.tsx'
import { SystemTab } from './SystemTab.tsx'
import { OwnDay } from './today/OwnDay.tsx'
import { TodayNews } from './today/TodayNews.tsx'
import { TodayTab } from './today/TodayTab.tsx'

const route = getRouteApi('/')

const tabs = [
  { value: 'today', label: 'Today' },
  { value: 'system', label: 'System' },
]

/** The first page of the day: what runs, what failed, what waits for somebody, and what it all costs. */
export function OverviewPage() {
  const { data: profile, failure, refetch } = useAnswer(profileQuery(useApi()))
  const { tab } = readOverviewSearch({ ...route.useSearch() })
  const access = profile === undefined ? undefined : accessOf(profile)
  const showsSystem = access?.administers === true && tab === 'system'
  return (
    <Page
      title="Overview"
      aside={
        showsSystem ? (
          <SystemFreshness />
        ) : access?.measures === true ? (
          <TodayNews access={access} />
        ) : undefined
      }
    >
      {access !== undefined ? (
        <Loaded access={access} showsSystem={showsSystem} />
      ) : failure === null ? (
        <SummaryStrip cells={['Running', 'Queue', 'Failed today'].map((name) => ({ name }))} isLoading />
      ) : (
        <FailureNotice
          what="Your account could not be read."
          error={failure}
          onRetry={() => void refetch()}
        />
      )}
    </Page>
  )
}

function Loaded({ access, showsSystem }: { access: OverviewAccess; showsSystem: boolean }) {
  const navigate = route.useNavigate()
  return (
    <>
      {access.administers ? (
        <SegmentedControl
          size="xs"
          w="fit-content"
          aria-label="What to show"
          data={tabs}
          value={showsSystem ? 'system' : 'today'}
          onChange={(wanted) => void navigate({ search: readOverviewSearch({ tab: wanted }), replace: true })}
        />
      ) : null}
      {showsSystem ? <SystemTab /> : access.measures ? <TodayTab access={access} /> : <OwnDay />}
    </>
  )
}
