import { Type } from 'typebox'
import { kernelFailure, type Problem } from '#kernel/errors'
import { type HttpServer, offsetOf, type Principal, pageQuery } from '#kernel/http'
import { callSorts, type Usage } from '../../usage/usage.ts'
import { type UsageDimension, type UsageFilter, usageDimensions } from '../../usage/usage-totals.ts'
import { addBudgetRoute, type BudgetRouteOptions } from './budget-route.ts'
import { addCallRoute } from './call-route.ts'
import { describeCall } from './describe-call.ts'
import { Call, Day, filterQuery, Row, Totals } from './schemas.ts'

interface UsageRouteOptions extends BudgetRouteOptions {
  readonly usage: Usage
}

const config = { access: { signedIn: true, scope: 'models.read' } } as const
const noStore = 'no-store'

export function addUsageRoutes(routes: HttpServer, options: UsageRouteOptions): void {
  const { usage } = options
  routes.get(
    '/api/v1/usage',
    {
      config,
      schema: {
        operationId: 'readUsage',
        summary: 'Get usage totals',
        description:
          'Returns the usage of a range of days in UTC, both included; the last 30 days by default. `group_by` groups the totals by one or two of account, day, provider, model, source, key and tag; calls without a key or a tag have no row there.',
        querystring: Type.Object({
          from: Type.Optional(Day),
          to: Type.Optional(Day),
          group_by: Type.Optional(
            Type.String({ maxLength: 100, description: 'One or two dimensions, separated by a comma.' }),
          ),
          ...filterQuery,
        }),
        response: {
          200: Type.Object(
            {
              from: Type.String({ format: 'date' }),
              to: Type.String({ format: 'date' }),
              totals: Totals,
              rows: Type.Array(Row, {
                description:
                  'By day, the earliest first; without days by cost and then by calls, descending.',
              }),
              truncated: Type.Boolean({ description: 'There are more rows than these.' }),
            },
            { description: 'The usage totals.' },
          ),
        },
      },
    },
    async ({ principal, query }, reply) => {
      const days = readDays(query)
      const groupBy = readGroups(query.group_by)
      requireOneLabel(query, groupBy)
      const report = await usage.totals({ ...readFilter(principal, query), ...days, groupBy })
      const { totals, rows, truncated } = report
      return reply.header('cache-control', noStore).send({ ...days, totals, rows: [...rows], truncated })
    },
  )

  routes.get(
    '/api/v1/usage/calls',
    {
      config,
      schema: {
        operationId: 'listCalls',
        summary: 'List model calls',
        description:
          'Returns calls, the newest first unless `sort` is given. Page with `page` and the `as_of` of the first page, or, in the order of time, with `after` and the `next` of the previous page; both keep the pages stable while calls end.',
        querystring: Type.Object({
          ...pageQuery,
          as_of: Type.Optional(
            Type.String({ format: 'date-time', maxLength: 40, description: '`as_of` of an earlier page.' }),
          ),
          after: Type.Optional(
            Type.String({ format: 'uuid', description: '`next` of the previous page, instead of `page`.' }),
          ),
          sort: Type.Optional(
            Type.Enum([...callSorts], {
              default: 'started',
              description:
                'The order of the list; calls without a value come last. Other than `started`: of the newest 10,000 calls that match.',
            }),
          ),
          order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc' })),
          from: Type.Optional(Day),
          to: Type.Optional(Day),
          outcome: Type.Optional(Type.Enum(['answered', 'failed', 'cancelled', 'lost'])),
          execution: Type.Optional(
            Type.String({ minLength: 1, maxLength: 200, description: 'Only calls of this execution.' }),
          ),
          step: Type.Optional(
            Type.String({ minLength: 1, maxLength: 200, description: 'Only calls of this step.' }),
          ),
          ...filterQuery,
        }),
        response: {
          200: Type.Object(
            {
              data: Type.Array(Call),
              total: Type.Integer({ description: 'Calls that match, on all pages.' }),
              as_of: Type.String({
                format: 'date-time',
                description: 'The time of the first page; send it for further pages.',
              }),
              next: Type.Union([Type.String(), Type.Null()], {
                description:
                  'The `after` of the next page; null on the last one, and in another order than that of time.',
              }),
              sorted_among: Type.Union([Type.Integer(), Type.Null()], {
                description: 'When more calls match than were sorted: how many of the newest were.',
              }),
            },
            { description: 'A page of calls.' },
          ),
        },
      },
    },
    async ({ principal, query }, reply) => {
      const { limit, after, outcome, execution, step, sort, order } = query
      requireOnePaging(query)
      const asOf = readAsOf(query.as_of)
      const now = new Date()
      const { calls, next, total, sortedAmong } = await usage.calls({
        ...readFilter(principal, query),
        ...readMoments(query),
        outcome,
        execution,
        step,
        after,
        asOf,
        sort,
        order,
        limit,
        offset: offsetOf(query),
      })
      return reply.header('cache-control', noStore).send({
        data: calls.map(describeCall),
        total,
        as_of: (asOf ?? now).toISOString(),
        next,
        sorted_among: sortedAmong,
      })
    },
  )

  addCallRoute(routes, { usage })

  addBudgetRoute(routes, options)
}

const dayMs = 86_400_000
const daysByDefault = 30
const maxDays = 3660
const maxDimensions = 2

interface RequestedFilter extends UsageFilter {
  readonly account?: string | undefined
}

/** The filter for usage. Every account may see its own usage; `administer llm` allows all. */
export function readFilter(principal: Principal, asked: RequestedFilter): UsageFilter {
  const { account, provider, model, source, key, tag } = asked
  if (principal.id === null) throw kernelFailure('authentication_required')
  const isOwn = account === undefined || account === principal.id
  if (!isOwn && !principal.permissions.has('administer llm')) {
    throw kernelFailure('permission_denied', {
      message: 'You need the permission "administer llm" to see the usage of other accounts.',
      details: { permission: ['administer llm'] },
    })
  }
  return {
    account: isOwn ? principal.id : account === 'all' ? undefined : account,
    provider,
    model,
    source,
    key,
    tag,
  }
}

/** The range of days, both included; the last 30 days by default. */
export function readDays(asked: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const to = asked.to ?? dayOf(Date.now())
  const from = asked.from ?? dayOf(Date.parse(to) - (daysByDefault - 1) * dayMs)
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1) throw invalid('from', 'must not be after to')
  if (days > maxDays) throw invalid('from', `must be at most ${maxDays} days before to`)
  return { from, to }
}

/** The time range of a list of calls; open where it is not given. */
export function readMoments({
  from,
  to,
}: {
  readonly from?: string | undefined
  readonly to?: string | undefined
}) {
  if (from !== undefined && to !== undefined) readDays({ from, to })
  return {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(Date.parse(to) + dayMs),
  }
}

/** Throws `invalid_input` when both `page` and `after` are given. */
function requireOnePaging({
  page,
  after,
  sort = 'started',
}: {
  readonly page: number
  readonly after?: string | undefined
  readonly sort?: string | undefined
}): void {
  if (after === undefined) return
  if (page > 1) throw invalid('page', 'must be left out where after is given')
  if (sort !== 'started') throw invalid('after', 'pages by time; with another sort, use page and as_of')
}

/** Parses `as_of`. The format date-time also allows leap seconds, which `Date` does not support. */
function readAsOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw invalid('as_of', 'must be `as_of` of an earlier page')
  return moment
}

/** Parses `group_by`: at most two dimensions, because more would return a row for nearly every call. */
export function readGroups(text: string | undefined): readonly UsageDimension[] {
  const names = [...new Set((text ?? '').split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const known = usageDimensions.filter((dimension) => names.includes(dimension))
  if (known.length < names.length)
    throw invalid('group_by', `must name one or two of ${usageDimensions.join(', ')}`)
  if (known.length > maxDimensions) throw invalid('group_by', `must name at most ${maxDimensions}`)
  return known
}

/** Throws `invalid_input` when keys are combined with tags, which the daily totals do not have. */
function requireOneLabel({ key, tag }: UsageFilter, groupBy: readonly UsageDimension[]): void {
  const usesKey = key !== undefined || groupBy.includes('key')
  const usesTag = tag !== undefined || groupBy.includes('tag')
  if (usesKey && usesTag) {
    throw invalid(
      tag === undefined ? 'group_by' : 'tag',
      'cannot be combined with key; use /api/v1/usage/calls',
    )
  }
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function invalid(path: string, message: string) {
  const problem: Problem = { path, message, code: 'value' }
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [problem],
  })
}
