import '../../theme/mantine-form.css'
import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type Api, bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { paths } from '../../api/schema.generated.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { DayChart } from '../../parts/DayChart.tsx'
import { describeWhole } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { type SummaryCell, SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { useCopy } from '../../parts/use-copy.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './InterfaceUsagePage.module.css'
import {
  type InterfaceUsageDays,
  interfaceUsageDays,
  usualInterfaceUsageDays,
} from './interface-usage-search.ts'

/** A count and its share of the total. */
interface Share {
  readonly name: string
  readonly count: number
  /** From 0 to 1. */
  readonly share: number
}

/** Counts with their shares of the total, in the given order. */
export function sharesOf(
  counted: ReadonlyArray<{ readonly name: string; readonly count: number }>,
  total: number,
): readonly Share[] {
  return counted.map(({ name, count }) => ({ name, count, share: total === 0 ? 0 : count / total }))
}

/** Formats a share in percent; a small share is never shown as 0 %. */
export function describePercent(share: number): string {
  if (share > 0 && share < 0.01) return '< 1 %'
  return `${Math.round(share * 100)} %`
}

/** Combines a theme and its version into one name. */
export function describeVersion({
  theme,
  version,
}: {
  readonly theme: string
  readonly version: string
}): string {
  if (theme === 'unknown') return version === 'unknown' ? 'Unknown' : version
  return version === 'unknown' ? theme : `${theme} ${version}`
}

const browsers: Readonly<Record<string, string>> = { bot: 'Bots and scripts', samsung: 'Samsung Internet' }

/** The product name of a browser family. */
export function describeBrowser(family: string): string {
  const known = Object.hasOwn(browsers, family) ? browsers[family] : undefined
  return known ?? `${family.slice(0, 1).toUpperCase()}${family.slice(1)}`
}

const route = getRouteApi('/interface-usage')

/** Usage events of the front end. */
export function InterfaceUsagePage() {
  const { days = usualInterfaceUsageDays } = route.useSearch()
  const navigate = route.useNavigate()
  const {
    data: usage,
    failure,
    refetch,
    isPlaceholderData,
  } = useApiQuery(interfaceUsageQuery(useApi(), days))
  const refresh = () => void refetch()
  const isUnused = usage !== undefined && usage.total === 0 && !isPlaceholderData

  return (
    <Page
      title="Interface usage"
      lead="Events reported by your front end, with component, theme and browser family. Accounts and IP addresses are not stored. Days are in UTC."
      aside={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Time range"
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
        <FailureNotice what="The interface usage could not be loaded." error={failure} onRetry={refresh} />
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
          <div className={styles['placeholder']} aria-busy />
        ) : (
          <DayChart
            title="Events"
            days={usage.by_day.map(({ date }) => date)}
            series={[{ name: 'Events', values: usage.by_day.map(({ count }) => count) }]}
            describe={(count) => count.toLocaleString()}
            describeAxis={describeWhole}
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

const labels = { idle: 'Copy the command', copied: 'Copied', failed: 'Could not copy' }

/** Instructions to send the first event. */
function FirstEvent() {
  const command = writeFirstEvent(window.location.origin)
  const { outcome, copy } = useCopy(command)
  return (
    <Surface>
      <EmptyState
        sentence="No events in this period. Send the first event from a shell with an API key in TUTTI_API_KEY."
        action={
          <Button size="compact-sm" variant="default" onClick={copy}>
            {labels[outcome]}
          </Button>
        }
        link={<Link to="/api-keys">Create an API key</Link>}
      />
      {/* A long line scrolls, and a scrolling region must be reachable by keyboard. */}
      <pre className={styles['command']} tabIndex={0} role="region" aria-label="Command">
        {command}
      </pre>
    </Surface>
  )
}

/** The totals of all days. */
function UsageSummary({ usage }: { usage: InterfaceUsage | undefined }) {
  return <SummaryStrip cells={cellsOf(usage)} isLoading={usage === undefined} />
}

function cellsOf(usage: InterfaceUsage | undefined): readonly SummaryCell[] {
  if (usage === undefined) {
    return ['Events', 'Per day', 'Top component', 'Top theme', 'Last event'].map((name) => ({ name }))
  }
  const { total, days, by_day, by_component, by_version, recent } = usage
  const active = by_day.filter(({ count }) => count > 0).length
  const [component] = by_component
  const [version] = by_version
  const [last] = recent
  return [
    { name: 'Events', value: total.toLocaleString(), note: `in ${days} days` },
    {
      name: 'Per day',
      value: Math.round(total / Math.max(1, active)).toLocaleString(),
      note: `average of ${active === 1 ? '1 active day' : `${active} active days`}`,
    },
    {
      name: 'Top component',
      value: component?.component ?? '–',
      note: component === undefined ? 'none' : `${describePercent(component.count / total)} of the events`,
    },
    {
      name: 'Top theme',
      value: version === undefined ? '–' : describeVersion(version),
      note: version === undefined ? 'none' : `${describePercent(version.count / total)} of the events`,
    },
    {
      name: 'Last event',
      value: last === undefined ? '–' : <RelativeTime at={last.received_at} />,
      note: last === undefined ? 'more than a week ago' : `${last.event} in ${last.component}`,
    },
  ]
}

type RecentEvent = InterfaceUsage['recent'][number]

const columns: ReadonlyArray<Column<RecentEvent>> = [
  { title: 'Event', value: ({ event }) => event, placeholderWidth: 96, cell: ({ event }) => event },
  {
    title: 'Component',
    value: ({ component }) => component,
    placeholderWidth: 96,
    cell: ({ component }) => component,
  },
  {
    title: 'Theme',
    value: ({ metadata }) => describeVersion(versionOf(metadata)),
    minor: true,
    placeholderWidth: 72,
    cell: ({ metadata }) => describeVersion(versionOf(metadata)),
  },
  {
    title: 'Browser',
    value: ({ browser }) => describeBrowser(browser),
    minor: true,
    placeholderWidth: 56,
    cell: ({ browser, user_agent }) => <span title={user_agent}>{describeBrowser(browser)}</span>,
  },
  {
    title: 'Time',
    value: ({ timestamp }) => timestamp,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ timestamp }) => <RelativeTime at={timestamp} />,
  },
]

function versionOf(metadata: RecentEvent['metadata']) {
  const { theme, version } = metadata
  return {
    theme: typeof theme === 'string' ? theme : 'unknown',
    version: typeof version === 'string' ? version : 'unknown',
  }
}

/** The recent single events. */
function RecentEvents({ events }: { events: readonly RecentEvent[] | undefined }) {
  return (
    <Section title="Recent events" note="kept for a week">
      <Table label="Recent events" name="events" columns={columns} rows={events} rowKey={({ id }) => id} />
    </Section>
  )
}

type InterfaceUsage =
  paths['/admin/llm/interface-usage']['get']['responses'][200]['content']['application/json']

/** The usage of the front end over the last days, including today. */
function interfaceUsageQuery(api: Api, days: InterfaceUsageDays) {
  return queryOptions({
    queryKey: ['interface-usage', days],
    queryFn: ({ signal }) =>
      bodyOf(api.client.GET('/admin/llm/interface-usage', { signal, params: { query: { days } } })),
    placeholderData: keepPreviousData,
  })
}

interface ShareTableProps {
  /** The title of the breakdown, such as `By event`. */
  readonly title: string
  /** The title of the name column. */
  readonly what: string
  /** Undefined while loading. */
  readonly rows: readonly Share[] | undefined
}

/** Counts with their share, most frequent first. */
function ShareTable({ title, what, rows }: ShareTableProps) {
  return (
    <Section title={title} note={rows?.length.toLocaleString()}>
      <Table
        label={title}
        columns={columnsOf(what)}
        rows={rows}
        rowKey={({ name }) => name}
        placeholderRows={3}
      />
    </Section>
  )
}

function columnsOf(what: string): ReadonlyArray<Column<Share>> {
  return [
    { title: what, value: ({ name }) => name, placeholderWidth: 120, cell: ({ name }) => name },
    {
      title: 'Events',
      value: ({ count }) => count,
      numeric: true,
      placeholderWidth: 40,
      cell: ({ count }) => count.toLocaleString(),
    },
    {
      title: 'Share',
      value: ({ share }) => share,
      numeric: true,
      minWidth: 112,
      placeholderWidth: 72,
      cell: ({ share }) => (
        <span className={styles['share']}>
          <svg width={56} height={6} aria-hidden>
            <rect className={styles['whole']} width={56} height={6} rx={2} />
            <rect className={styles['part']} width={Math.max(1, share * 56)} height={6} rx={2} />
          </svg>
          <span className={styles['percent']}>{describePercent(share)}</span>
        </span>
      ),
    },
  ]
}

/** The shell command that sends a first event. It needs an API key in the environment. */
export function writeFirstEvent(origin: string): string {
  return `curl -X POST ${origin}/llm-ui/analytics \\
  -H "Authorization: Bearer $TUTTI_API_KEY" \\
  -H "Content-Type: application/json" \\
  --data-binary @- <<JSON
{
  "event": "opened",
  "component": "chat-panel",
  "timestamp": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
  "metadata": { "theme": "my-theme", "version": "1.0.0" }
}
JSON`
}
