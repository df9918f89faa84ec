import '../../theme/mantine-form.css'
import { ActionIcon, SegmentedControl } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { DayChart } from '../../parts/DayChart.tsx'
import { describeRoughly } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { FirstEvent } from './FirstEvent.tsx'
import styles from './InterfaceUsagePage.module.css'
import { type InterfaceUsage, interfaceUsageQuery } from './interface-usage-query.ts'
import { interfaceUsageDays, usualInterfaceUsageDays } from './interface-usage-search.ts'
import { RecentEvents } from './RecentEvents.tsx'
import { ShareTable } from './ShareTable.tsx'
import { UsageSummary } from './UsageSummary.tsx'
import { describeBrowser, describeVersion, sharesOf } from './usage-shares.ts'

const route = getRouteApi('/interface-usage')

/** What people do with the interface that themes and modules show. */
export function InterfaceUsagePage() {
  const { days = usualInterfaceUsageDays } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: usage, failure, refetch, isPlaceholderData } = useAnswer(interfaceUsageQuery(useApi(), days))
  const refresh = () => void refetch()
  const isUnused = usage !== undefined && usage.total === 0 && !isPlaceholderData

  return (
    <Page
      title="Interface usage"
      lead="What the interface that people see tells of how they use it: events with their component, theme and browser family. Neither accounts nor addresses are kept. Days are in UTC."
      aside={
        <>
          <SegmentedControl
            size="xs"
            aria-label="How far back"
            value={String(days)}
            onChange={(wanted) => {
              const chosen = interfaceUsageDays.find((each) => String(each) === wanted)
              void navigate({
                search: chosen === undefined || chosen === usualInterfaceUsageDays ? {} : { days: chosen },
                replace: true,
                resetScroll: false,
              })
            }}
            data={interfaceUsageDays.map((each) => ({ value: String(each), label: `${each} days` }))}
          />
          <ActionIcon size={28} aria-label="Refresh" title="Refresh" onClick={refresh}>
            <IconRefresh size={16} stroke={1.75} aria-hidden />
          </ActionIcon>
        </>
      }
    >
      {usage === undefined && failure !== null ? (
        <FailureNotice
          what="The usage of the interface could not be read."
          error={failure}
          onRetry={refresh}
        />
      ) : isUnused ? (
        <FirstEvent />
      ) : (
        <Report usage={usage} />
      )}
    </Page>
  )
}

function Report({ usage }: { usage: InterfaceUsage | undefined }) {
  const shares = <Row extends { readonly count: number }>(
    rows: readonly Row[] | undefined,
    nameOf: (row: Row) => string,
  ) =>
    rows === undefined
      ? undefined
      : sharesOf(
          rows.map((row) => ({ name: nameOf(row), count: row.count })),
          usage?.total ?? 0,
        )
  return (
    <>
      <UsageSummary usage={usage} />
      <Section title="By day" note="in UTC">
        {usage === undefined ? (
          <div className={styles['room']} aria-busy />
        ) : (
          <DayChart
            title="Events"
            days={usage.by_day.map(({ date }) => date)}
            series={[{ name: 'Events', values: usage.by_day.map(({ count }) => count) }]}
            describe={(count) => count.toLocaleString()}
            describeAxis={describeRoughly}
          />
        )}
      </Section>
      <div className={styles['pair']}>
        <ShareTable title="By event" what="Event" rows={shares(usage?.by_event, ({ event }) => event)} />
        <ShareTable
          title="By component"
          what="Component"
          rows={shares(usage?.by_component, ({ component }) => component)}
        />
        <ShareTable title="By theme version" what="Theme" rows={shares(usage?.by_version, describeVersion)} />
        <ShareTable
          title="By browser"
          what="Browser"
          rows={shares(usage?.by_browser, ({ browser }) => describeBrowser(browser))}
        />
      </div>
      <RecentEvents events={usage?.recent} />
    </>
  )
}
