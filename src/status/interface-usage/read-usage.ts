import type { Database } from '#kernel/database'

/** How often something happened. */
interface Named {
  readonly name: string
  readonly count: number
}

export interface UsageReport {
  readonly from: string
  readonly to: string
  readonly total: number
  readonly events: readonly Named[]
  readonly components: readonly Named[]
  readonly themes: readonly Named[]
  readonly browsers: readonly Named[]
  readonly versions: readonly { readonly theme: string; readonly version: string; readonly count: number }[]
  readonly days: readonly { readonly date: string; readonly count: number }[]
  readonly recent: readonly RecentSubmission[]
}

interface RecentSubmission {
  readonly id: string
  readonly receivedAt: Date
  readonly occurredAt: Date
  readonly event: string
  readonly component: string
  readonly theme: string | null
  readonly version: string | null
  readonly browser: string
  readonly userAgent: string
  readonly more: Readonly<Record<string, unknown>>
}

/** What a list names; the rest of it is added up as `other`. */
const mostNamed = 50
const mostRecent = 20

/** Counts by one column, the most frequent first; what comes after those is one more. */
function countBy(column: string): string {
  return `
    with counted as (
      select ${column} as name, sum(count)::bigint as count from status_usage where day > $1 group by 1
    ),
    ranked as (
      select name, count, row_number() over (order by name = 'other', count desc, name) as place from counted
    ),
    named as (
      select case when place <= ${mostNamed} then name else 'other' end as name, count from ranked
    )
    select name, sum(count)::bigint as count
    from named
    group by name
    order by name = 'other', sum(count) desc, name
  `
}

const versionsStatement = `
  select theme, version, sum(count)::bigint as count
  from status_usage
  where day > $1
  group by 1, 2
  order by 3 desc, 1, 2
  limit ${mostNamed}
`

const daysStatement = `
  select to_char(wanted.day, 'YYYY-MM-DD') as date, coalesce(known.events, 0) as count
  from generate_series($1::date + 1, $2::date, interval '1 day') as wanted (day)
  left join status_usage_days as known on known.day = wanted.day::date
  order by wanted.day
`

const recentStatement = `
  select id, received_at as "receivedAt", occurred_at as "occurredAt", event, component, theme, version, browser,
    user_agent as "userAgent", more
  from status_usage_recent
  order by received_at desc, id desc
  limit ${mostRecent}
`

/** How the interface was used on the last so many days of UTC, today among them. */
export async function readUsage(
  database: Pick<Database, 'query'>,
  { days, now }: { readonly days: number; readonly now: Date },
): Promise<UsageReport> {
  const to = dayOf(now)
  const before = dayOf(new Date(now.getTime() - days * 86_400_000))
  const by = (column: string) => database.query<Named>(countBy(column), [before])
  const [events, components, themes, browsers, versions, byDay, recent] = await Promise.all([
    by('event'),
    by('component'),
    by('theme'),
    by('browser'),
    database.query<UsageReport['versions'][number]>(versionsStatement, [before]),
    database.query<UsageReport['days'][number]>(daysStatement, [before, to]),
    database.query<RecentSubmission>(recentStatement),
  ])
  return {
    from: byDay[0]?.date ?? to,
    to,
    total: byDay.reduce((sum, { count }) => sum + count, 0),
    events,
    components,
    themes,
    browsers,
    versions,
    days: byDay,
    recent,
  }
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
