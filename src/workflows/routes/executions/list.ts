import { type Static, Type } from 'typebox'
import { type Engine, executionSorts } from '#engine'
import { access, invalidField, readRate } from '#executions-api'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { flag, integer, maybeInteger, maybeText } from '../../schemas/values.ts'
import { describeEntry, Entry } from './entries.ts'
import { filterOf, filterQuery, stateQuery } from './filters.ts'

/** The dependencies of the lists of executions. */
export type ListOptions = Pick<WorkflowsOptions, 'engine' | 'usernamesOf'>

const ListQuery = Type.Object(
  {
    ...stateQuery,
    ...filterQuery,
    order: Type.Enum(['oldest', 'newest'], { default: 'oldest' }),
    sort: Type.Optional(
      Type.Enum([...executionSorts], {
        description:
          'Sorts by creation time, duration or cost, the latest or highest first. Duration and cost sort the newest 10,000 matches. Replaces `order`.',
      }),
    ),
    direction: Type.Optional(
      Type.Enum(['asc', 'desc'], { description: 'The direction of `sort`. Default: `desc`.' }),
    ),
    before: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'The last execution of the page before: returns the next older ones, newest first. Faster than `page` in long lists.',
      }),
    ),
    as_of: Type.Optional(Type.String({ format: 'uuid', description: '`as_of` of an earlier page.' })),
    ...pageQuery,
  },
  { additionalProperties: false },
)

/** Lists and counts executions. */
export function addListRoutes(routes: HttpServer, options: ListOptions): void {
  addCountsRoute(routes, options.engine)
  const { engine, usernamesOf } = options
  routes.get(
    `${workflowsPrefix}/executions`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'listExecutions',
        summary: 'List executions',
        description:
          'Lists your own executions; with `manage workflows` the executions of all accounts or of one `account`. The oldest come first, so that pages stay stable. With `order=newest`, pass `as_of` of the first page to get the next pages, or `before`.',
        querystring: ListQuery,
        response: {
          200: Type.Object(
            {
              executions: Type.Array(Entry),
              total: integer('Number of matching executions; at most 10,000 are counted.'),
              at_least: flag('Whether more than `total` match.'),
              sorted_among: maybeInteger(
                'The number of the newest matches that were sorted, or compared by duration; null when it was all of them.',
              ),
              as_of: maybeText('The newest matching execution, for the next pages; null when there is none.'),
            },
            { description: 'A page of executions.' },
          ),
        },
      },
    },
    async ({ principal, query }, reply) => {
      const { executions, total, atLeast, sortedAmong, asOf } = await engine.executions.list({
        ...filterOf(principal, query),
        ...orderOf(query),
        asOf: query.as_of,
        limit: query.limit,
        offset: offsetOf(query),
      })
      const names = await usernamesOf(executions.map(({ accountId }) => accountId))
      return reply.header('cache-control', 'no-store').send({
        executions: executions.map((entry) => describeEntry(entry, names)),
        total,
        at_least: atLeast,
        sorted_among: sortedAmong,
        as_of: asOf,
      })
    },
  )
}

function orderOf({ order, sort, direction, before, page }: Static<typeof ListQuery>) {
  if (before !== undefined) {
    if ((sort ?? 'created') !== 'created' || direction === 'asc' || page > 1) {
      throw invalidField({
        path: 'before',
        message: 'needs the newest first, without page, direction=asc or another sort than created',
        code: 'value',
      })
    }
    return { order: 'newest', before } as const
  }
  if (direction !== undefined && sort === undefined) {
    throw invalidField({ path: 'direction', message: 'needs sort', code: 'value' })
  }
  if (sort === undefined) return { order }
  return { order: direction === 'asc' ? 'oldest' : 'newest', sort } as const
}

const Counts = Type.Object(
  {
    by_state: Type.Object({
      needs_approval: Type.Integer(),
      needs_answer: Type.Integer(),
      queued: Type.Integer(),
      running: Type.Integer(),
      waiting: Type.Integer(),
      completed: Type.Integer(),
      failed: Type.Integer(),
      cancelled: Type.Integer(),
    }),
    by_flow: Type.Array(
      Type.Object({
        flow_id: Type.String(),
        label: Type.String(),
        executions: Type.Integer(),
        failed: Type.Integer(),
      }),
      { description: 'The eight flows with the most executions.' },
    ),
    by_error: Type.Array(Type.Object({ code: Type.String(), executions: Type.Integer() }), {
      description: 'The eight most frequent error codes.',
    }),
    at_least: flag('Whether more executions match: the newest 10,000 are counted.'),
  },
  { description: 'The numbers of matching executions.' },
)

const cachedForMs = 1000
const maxCached = 1000

/** Counts executions. The same question within a second is answered from memory: many tabs show the same numbers. */
function addCountsRoute(routes: HttpServer, { executions }: Pick<Engine, 'executions'>): void {
  type Counted = ReturnType<typeof executions.count>
  const cache = new Map<string, { readonly at: number; readonly counted: Counted }>()

  function countCached(filter: Parameters<typeof executions.count>[0]): Counted {
    // The filter names the account, so callers never share the counts of others.
    const key = JSON.stringify(filter)
    const now = performance.now()
    const cached = cache.get(key)
    if (cached !== undefined && now - cached.at < cachedForMs) return cached.counted
    cache.delete(key)
    const [oldest] = cache.keys()
    if (cache.size >= maxCached && oldest !== undefined) cache.delete(oldest)
    const counted = executions.count(filter)
    cache.set(key, { at: now, counted })
    // A failed count is not kept: the next request tries again.
    counted.catch(() => cache.delete(key))
    return counted
  }

  routes.get(
    `${workflowsPrefix}/executions/counts`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'countExecutions',
        summary: 'Count executions',
        description:
          'Counts the newest 10,000 matching executions by state, flow and error, for the filters of a list. The counts may be a second old.',
        querystring: Type.Object({ ...stateQuery, ...filterQuery }, { additionalProperties: false }),
        response: { 200: Counts },
      },
    },
    async ({ principal, query }, reply) => {
      const { byState, byFlow, byError, atLeast } = await countCached(filterOf(principal, query))
      return reply.header('cache-control', 'no-store').send({
        by_state: byState,
        by_flow: byFlow.map(({ flowId, ...flow }) => ({ flow_id: flowId, ...flow })),
        by_error: [...byError],
        at_least: atLeast,
      })
    },
  )
}
