import { Type } from 'typebox'
import type { Database } from '#kernel/database'
import type { HttpServer } from '#kernel/http'
import { usageRate } from '../api.ts'
import { readSubmission, SubmissionBody } from './submission.ts'
import { createRecordUsage } from './usage-store.ts'

const Acknowledgement = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    id: Type.String({ description: 'Id of this submission.' }),
  },
  { description: 'The event was recorded.' },
)

const UsageResponse = Type.Object(
  {
    days: Type.Integer({ description: 'Number of days of the report.' }),
    from: Type.String({ format: 'date', description: 'First day, in UTC.' }),
    to: Type.String({ format: 'date', description: 'Today, in UTC.' }),
    total: Type.Integer({ description: 'Number of events on these days.' }),
    by_event: Type.Array(Type.Object({ event: Type.String(), count: Type.Integer() })),
    by_component: Type.Array(Type.Object({ component: Type.String(), count: Type.Integer() })),
    by_theme: Type.Array(Type.Object({ theme: Type.String(), count: Type.Integer() })),
    by_version: Type.Array(
      Type.Object({ theme: Type.String(), version: Type.String(), count: Type.Integer() }),
    ),
    by_browser: Type.Array(Type.Object({ browser: Type.String(), count: Type.Integer() })),
    by_day: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), count: Type.Integer() }), {
      description: 'One entry per day, the earliest first.',
    }),
    recent: Type.Array(
      Type.Object({
        id: Type.String(),
        received_at: Type.String({ format: 'date-time' }),
        timestamp: Type.String({ format: 'date-time' }),
        event: Type.String(),
        component: Type.String(),
        browser: Type.String(),
        user_agent: Type.String(),
        metadata: Type.Unsafe<Readonly<Record<string, unknown>>>({
          type: 'object',
          additionalProperties: true,
        }),
      }),
      { description: 'The latest 20 submissions, the newest first. Submissions are kept for a week.' },
    ),
  },
  {
    description:
      'Usage of the interface. Lists have at most 50 names, the most frequent first; `other` sums up the rest, and events beyond the daily limit of names. `unknown`: the field was not sent.',
  },
)

/** Usage events of the interface, and the report on them. */
export function addInterfaceUsageRoutes(
  routes: HttpServer,
  { database }: { readonly database: Database },
): void {
  const record = createRecordUsage(database)

  routes.post(
    '/llm-ui/analytics',
    {
      bodyLimit: 8 * 1024,
      config: {
        access: { permission: 'access content' },
        csrfToken: 'always',
        ratePolicy: usageRate,
      },
      schema: {
        operationId: 'submitAnalytics',
        summary: 'Submit a usage event',
        description:
          'Requires `X-CSRF-Token` with a session or without a credential. Neither the account nor the IP address of the sender is stored.',
        body: SubmissionBody,
        response: { 200: Acknowledgement },
      },
    },
    async ({ body, headers }) => {
      const submission = readSubmission(body, headers['user-agent'], new Date())
      return { success: true as const, message: 'Recorded.', id: await record(submission) }
    },
  )

  routes.get(
    '/admin/llm/interface-usage',
    {
      config: { access: { permission: 'administer llm' }, ratePolicy: usageRate },
      schema: {
        operationId: 'readInterfaceUsage',
        summary: 'Get interface usage',
        querystring: Type.Object(
          {
            days: Type.Integer({
              minimum: 1,
              maximum: 365,
              default: 30,
              description: 'Number of days, including today.',
            }),
          },
          { additionalProperties: false },
        ),
        response: { 200: UsageResponse },
      },
    },
    async ({ query: { days } }) => describeUsage(days, await readUsage(database, { days, now: new Date() })),
  )
}

function describeUsage(days: number, report: UsageReport) {
  return {
    days,
    from: report.from,
    to: report.to,
    total: report.total,
    by_event: report.events.map(({ name, count }) => ({ event: name, count })),
    by_component: report.components.map(({ name, count }) => ({ component: name, count })),
    by_theme: report.themes.map(({ name, count }) => ({ theme: name, count })),
    by_version: [...report.versions],
    by_browser: report.browsers.map(({ name, count }) => ({ browser: name, count })),
    by_day: [...report.days],
    recent: report.recent.map((it) => ({
      id: it.id,
      received_at: it.receivedAt.toISOString(),
      timestamp: it.occurredAt.toISOString(),
      event: it.event,
      component: it.component,
      browser: it.browser,
      user_agent: it.userAgent,
      metadata: {
        ...(it.theme !== null && { theme: it.theme }),
        ...(it.version !== null && { version: it.version }),
        ...it.more,
      },
    })),
  }
}

/** A name and its count. */
interface Named {
  readonly name: string
  readonly count: number
}

interface UsageReport {
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

/** Names per list; the rest is summed up as `other`. */
const maxNamed = 50
const maxRecent = 20

/** Counts by one column, the most frequent first, the rest as `other`. */
function countBy(column: string): string {
  return `
    with counted as (
      select ${column} as name, sum(count)::bigint as count from status_usage where day > $1 group by 1
    ),
    ranked as (
      select name, count, row_number() over (order by name = 'other', count desc, name) as rank from counted
    ),
    named as (
      select case when rank <= ${maxNamed} then name else 'other' end as name, count from ranked
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
  limit ${maxNamed}
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
  limit ${maxRecent}
`

/** Usage of the last `days` days in UTC, including today. */
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
