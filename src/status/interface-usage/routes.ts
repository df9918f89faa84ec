import { Type } from 'typebox'
import type { Database } from '#kernel/database'
import type { HttpServer } from '#kernel/http'
import { usageRate } from '../interface.ts'
import { readUsage, type UsageReport } from './read-usage.ts'
import { createRecordUsage } from './record-usage.ts'
import { readSubmission, SubmissionBody } from './submission.ts'

const Acknowledgement = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    id: Type.String({ description: 'Of this submission.' }),
  },
  { description: 'It counts.' },
)

const UsageAnswer = Type.Object(
  {
    days: Type.Integer({ description: 'How many days this is about.' }),
    from: Type.String({ format: 'date', description: 'The first of them, in UTC.' }),
    to: Type.String({ format: 'date', description: 'Today, in UTC.' }),
    total: Type.Integer({ description: 'What was submitted on these days.' }),
    by_event: Type.Array(Type.Object({ event: Type.String(), count: Type.Integer() })),
    by_component: Type.Array(Type.Object({ component: Type.String(), count: Type.Integer() })),
    by_theme: Type.Array(Type.Object({ theme: Type.String(), count: Type.Integer() })),
    by_version: Type.Array(
      Type.Object({ theme: Type.String(), version: Type.String(), count: Type.Integer() }),
    ),
    by_browser: Type.Array(Type.Object({ browser: Type.String(), count: Type.Integer() })),
    by_day: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), count: Type.Integer() }), {
      description: 'Every day, the first of them first.',
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
      { description: 'The last 20 that are kept, the newest first. They are kept for a week.' },
    ),
  },
  {
    description:
      'How the interface is used. Lists name at most 50, the most frequent first; `other` is the rest, and what came on a day that had named too many already. `unknown`: the interface did not say.',
  },
)

/** What the interface tells of how it is used, and what came of that. */
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
        summary: 'Tell what happened in the interface',
        description:
          'With a session, or without any credential, it needs `X-CSRF-Token`. Neither the account nor the address of whoever sends it is kept.',
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
        summary: 'How the interface is used',
        querystring: Type.Object(
          { days: Type.Integer({ minimum: 1, maximum: 365, default: 30, description: 'Today among them.' }) },
          { additionalProperties: false },
        ),
        response: { 200: UsageAnswer },
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
