import { Type } from 'typebox'
import { type HttpServer, offsetOf, type Principal, pageQuery } from '#kernel/http'
import type { CallRecord } from '../../usage/call-record.ts'
import type { Usage } from '../../usage/usage.ts'
import {
  dayOf,
  readAsOf,
  readDays,
  readFilter,
  readGroups,
  readMoments,
  requireOneWay,
} from './read-query.ts'
import { Budget, Call, Day, filterQuery, Row, Totals } from './shapes.ts'

interface UsageRouteOptions {
  readonly usage: Usage
  /** Today's budget of an account in micro-dollars, and what is used of it. */
  readonly budgetOf: (
    principal: Principal,
  ) => Promise<{ readonly limit: number; readonly spent: number; readonly reserved: number }>
}

const config = { access: { signedIn: true, scope: 'models.read' } } as const
const noStore = 'no-store'

/** What models were used for, and what it took. */
export function addUsageRoutes(routes: HttpServer, { usage, budgetOf }: UsageRouteOptions): void {
  routes.get(
    '/api/v1/usage',
    {
      config,
      schema: {
        operationId: 'readUsage',
        summary: 'What models were used for',
        description:
          'Added up over days in UTC, both included, the last 30 without. `group_by` tells the sums apart by one or two of account, day, provider, model and source.',
        querystring: Type.Object({
          from: Type.Optional(Day),
          to: Type.Optional(Day),
          group_by: Type.Optional(
            Type.String({ maxLength: 100, description: 'One or two of them, separated by a comma.' }),
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
                description: 'By day, the earliest first; without days the dearest first, then the busiest.',
              }),
              truncated: Type.Boolean({ description: 'There are more rows than these.' }),
            },
            { description: 'The sums.' },
          ),
        },
      },
    },
    async ({ principal, query }, reply) => {
      const days = readDays(query)
      const groupBy = readGroups(query.group_by)
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
        summary: 'Calls of models, the newest first',
        description:
          'By `page`, with `as_of` of the first page for those after it, or by `after`, the `next` of the page before: with either, calls that end meanwhile move nothing.',
        querystring: Type.Object({
          ...pageQuery,
          as_of: Type.Optional(
            Type.String({ format: 'date-time', maxLength: 40, description: '`as_of` of an earlier page.' }),
          ),
          after: Type.Optional(
            Type.String({ format: 'uuid', description: '`next` of the page before, instead of `page`.' }),
          ),
          from: Type.Optional(Day),
          to: Type.Optional(Day),
          outcome: Type.Optional(Type.Enum(['answered', 'failed', 'cancelled', 'lost'])),
          ...filterQuery,
        }),
        response: {
          200: Type.Object(
            {
              data: Type.Array(Call),
              total: Type.Integer({ description: 'Calls that match, on all pages.' }),
              as_of: Type.String({
                format: 'date-time',
                description: 'When the first page was read; give it for the pages after it.',
              }),
              next: Type.Union([Type.String(), Type.Null()]),
            },
            { description: 'A page of calls.' },
          ),
        },
      },
    },
    async ({ principal, query }, reply) => {
      const { limit, after, outcome } = query
      requireOneWay(query)
      const asOf = readAsOf(query.as_of)
      const now = new Date()
      const { calls, next, total } = await usage.calls({
        ...readFilter(principal, query),
        ...readMoments(query),
        outcome,
        after,
        asOf,
        limit,
        offset: offsetOf(query),
      })
      return reply
        .header('cache-control', noStore)
        .send({ data: calls.map(describeCall), total, as_of: (asOf ?? now).toISOString(), next })
    },
  )

  routes.get(
    '/api/v1/usage/budget',
    {
      config,
      schema: {
        operationId: 'readBudget',
        summary: "What is left of today's budget",
        description: 'Of the account that asks; its tier says how much there is. Days are in UTC.',
        response: { 200: Budget },
      },
    },
    async ({ principal }, reply) => {
      const now = Date.now()
      const { limit, spent, reserved } = await budgetOf(principal)
      return reply.header('cache-control', noStore).send({
        day: dayOf(now),
        limit_micro_dollars: limit,
        spent_micro_dollars: spent,
        reserved_micro_dollars: reserved,
        left_micro_dollars: Math.max(0, limit - spent - reserved),
        resets_at: new Date(Date.parse(dayOf(now)) + 86_400_000).toISOString(),
      })
    },
  )
}

function describeCall(call: CallRecord) {
  return {
    id: call.id,
    account: call.accountId,
    source: call.source,
    provider: call.provider,
    model: call.model,
    requested_model: call.requestedModel,
    started_at: call.startedAt.toISOString(),
    input_tokens: call.inputTokens,
    cached_input_tokens: call.cachedInputTokens,
    output_tokens: call.outputTokens,
    micro_dollars: call.microDollars ?? 0,
    unpriced: call.microDollars === null,
    price_source: call.priceSource,
    price_version: call.priceVersion,
    estimated: call.estimated,
    latency_ms: call.latencyMs,
    first_token_ms: call.firstTokenMs,
    outcome: call.outcome,
    failure_code: call.failureCode,
    cache_hit: call.cacheHit,
    attempts: call.attempts,
  }
}
