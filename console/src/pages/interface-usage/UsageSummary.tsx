import { type SummaryCell, SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { InterfaceUsage } from './interface-usage-query.ts'
import { describePercent, describeVersion } from './usage-shares.ts'

/** All days in one line. */
export function UsageSummary({ usage }: { usage: InterfaceUsage | undefined }) {
  return <SummaryStrip cells={cellsOf(usage)} isLoading={usage === undefined} />
}

function cellsOf(usage: InterfaceUsage | undefined): readonly SummaryCell[] {
  if (usage === undefined) {
    return ['Events', 'A day', 'Most used', 'Most seen', 'Last event'].map((name) => ({ name }))
  }
  const { total, days, by_day, by_component, by_version, recent } = usage
  const active = by_day.filter(({ count }) => count > 0).length
  const [component] = by_component
  const [version] = by_version
  const [last] = recent
  return [
    { name: 'Events', value: total.toLocaleString(), note: `in ${days} days` },
    {
      name: 'A day',
      value: Math.round(total / Math.max(1, active)).toLocaleString(),
      note: `on average, on ${active === 1 ? 'the 1 day' : `the ${active} days`} with any`,
    },
    {
      name: 'Most used',
      value: component?.component ?? '–',
      note:
        component === undefined
          ? 'no component'
          : `${describePercent(component.count / total)} of the events`,
    },
    {
      name: 'Most seen',
      value: version === undefined ? '–' : describeVersion(version),
      note: version === undefined ? 'no theme' : `${describePercent(version.count / total)} of the events`,
    },
    {
      name: 'Last event',
      value: last === undefined ? '–' : <RelativeTime at={last.received_at} />,
      note: last === undefined ? 'longer than a week ago' : `${last.event} in ${last.component}`,
    },
  ]
}
