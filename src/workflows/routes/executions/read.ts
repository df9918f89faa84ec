import { Type } from 'typebox'
import { type Engine, priorities } from '#engine'
import {
  access,
  createReachOf,
  createStatusOf,
  estimates,
  findExecution,
  managesAll,
  readRate,
  recoveryOf,
  requireAccount,
  schemas,
  units,
} from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, type Principal, pageQuery } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { describeCompleted } from '../../responses/completed.ts'
import { describeStatus } from '../../responses/status.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { CompletedBody } from '../../schemas/completed.ts'
import { StatusBody } from '../../schemas/status.ts'
import {
  executionStates,
  flag,
  integer,
  maybeInteger,
  maybeNumber,
  maybeText,
  moment,
  number,
  unpriced,
} from '../../schemas/values.ts'

type ExecutionListEntry = Awaited<ReturnType<Engine['executions']['list']>>['executions'][number]

const Entry = Type.Object({
  execution_id: Type.String(),
  flow_id: Type.String(),
  flow_version: Type.Integer(),
  flow_label: Type.String(),
  account_id: Type.String(),
  schedule_id: maybeText('The schedule that started the execution; null for a request.'),
  trigger_id: maybeText('The trigger that started the execution; null for a request.'),
  rerun_of: maybeText('The execution it runs again.'),
  status: Type.Enum([...executionStates]),
  priority: Type.Enum([...priorities]),
  progress: number('Percentage of finished steps.'),
  items: integer('Items of its batch; 0 without one.'),
  total_cost: number('Dollars so far.'),
  unpriced,
  duration: maybeNumber('Seconds in which workers ran the execution; null until the end.'),
  suspended: flag('Whether it only waits: for a time, an event or an answer.'),
  approval: maybeText('pending, approved or rejected; null when no approval is required.'),
  error_code: maybeText('The error code; null without a failure.'),
  error_message: maybeText('The error message; null without a failure.'),
  created_at: integer('Epoch seconds.'),
  started_at: maybeInteger('Epoch seconds.'),
  finished_at: maybeInteger('Epoch seconds.'),
})

/** Lists executions. */
export function addListRoute(routes: HttpServer, { engine }: Pick<WorkflowsOptions, 'engine'>): void {
  routes.get(
    `${workflowsPrefix}/executions`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'listExecutions',
        summary: 'List executions',
        description:
          'Lists your own executions; with `manage workflows` the executions of all accounts or of one `account`. The oldest come first, so that pages stay stable. With `order=newest`, pass `as_of` of the first page to get the next pages.',
        querystring: Type.Object(
          {
            status: Type.Optional(Type.Enum([...executionStates])),
            suspended: Type.Optional(
              Type.Boolean({ description: 'Only executions that only wait; or, with `false`, only others.' }),
            ),
            flow_id: Type.Optional(Type.String({ maxLength: 200 })),
            account: Type.Optional(
              Type.String({
                format: 'uuid',
                description: 'The account. Other accounts require `manage workflows`.',
              }),
            ),
            schedule_id: Type.Optional(
              Type.String({ format: 'uuid', description: 'Only executions of this schedule.' }),
            ),
            trigger_id: Type.Optional(
              Type.String({ format: 'uuid', description: 'Only executions of this trigger.' }),
            ),
            priority: Type.Optional(Type.Enum([...priorities])),
            since: Type.Optional(moment('Created at or after this time.')),
            until: Type.Optional(moment('Created before this time.')),
            search: Type.Optional(
              Type.String({
                pattern: '^[0-9a-fA-F-]{1,36}$',
                'x-means': 'must be an id, or how one begins',
                description: 'The start of the id.',
              }),
            ),
            order: Type.Enum(['oldest', 'newest'], { default: 'oldest' }),
            as_of: Type.Optional(Type.String({ format: 'uuid', description: '`as_of` of an earlier page.' })),
            ...pageQuery,
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object(
            {
              executions: Type.Array(Entry),
              total: integer('Number of matching executions.'),
              as_of: maybeText('The newest matching execution, for the next pages; null when there is none.'),
            },
            { description: 'A page of executions.' },
          ),
        },
      },
    },
    async ({ principal, query }, reply) => {
      const { since, until } = query
      const { executions, total, asOf } = await engine.executions.list({
        accountId: whoseExecutions(principal, query.account),
        status: query.status,
        suspended: query.suspended,
        flowId: query.flow_id,
        scheduleId: query.schedule_id,
        triggerId: query.trigger_id,
        priority: query.priority,
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
        search: query.search,
        asOf: query.as_of,
        order: query.order,
        limit: query.limit,
        offset: offsetOf(query),
      })
      return reply
        .header('cache-control', 'no-store')
        .send({ executions: executions.map(describeEntry), total, as_of: asOf })
    },
  )
}

/** Undefined: all accounts. */
function whoseExecutions(principal: Principal, account: string | undefined): string | undefined {
  if (managesAll(principal)) return account
  const own = requireAccount(principal)
  if (account === undefined || account.toLowerCase() === own) return own
  throw kernelFailure('permission_denied', {
    message: 'You need the permission "manage workflows" to see executions of others.',
    details: { permission: ['manage workflows'] },
  })
}

function describeEntry(entry: ExecutionListEntry) {
  const { startedAt, durationMs, finishedAt } = entry
  return {
    execution_id: entry.id,
    flow_id: entry.flowId,
    flow_version: entry.flowVersion,
    flow_label: entry.flowLabel,
    account_id: entry.accountId,
    schedule_id: entry.scheduleId,
    trigger_id: entry.triggerId,
    rerun_of: entry.rerunOf,
    status: entry.status,
    priority: entry.priority,
    progress: entry.status === 'completed' ? 100 : (units.percentage(entry.stepsOver, entry.stepsTotal) ?? 0),
    items: entry.items,
    total_cost: units.dollars(entry.spent),
    unpriced: entry.unpriced,
    duration: units.seconds(durationMs),
    suspended: entry.suspended,
    approval: entry.approval,
    error_code: entry.errorCode,
    error_message: entry.errorMessage,
    created_at: units.epochSeconds(entry.createdAt),
    started_at: units.epochSeconds(startedAt),
    finished_at: units.epochSeconds(finishedAt),
  }
}

const everything = { details: true, predictions: true, memory: true }

/** An execution: complete once it has finished, with its progress until then. */
export function addReadRoute(
  routes: HttpServer,
  options: Pick<WorkflowsOptions, 'engine' | 'notifications' | 'addressOf'>,
): void {
  const { engine } = options
  const reachOf = createReachOf(options)
  const statusOf = createStatusOf(options)
  routes.get(
    `${workflowsPrefix}/executions/:execution_id`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'readExecution',
        summary: 'Get an execution',
        description: 'A finished execution as in the response of `POST /execute-flow`, else its status.',
        params: schemas.executionParams,
        response: { 200: Type.Union([CompletedBody, StatusBody], { description: 'The execution.' }) },
      },
    },
    async ({ principal, params }, reply) => {
      const record = await findExecution(engine, principal, params.execution_id)
      reply.header('cache-control', 'no-store')
      if (record.finishedAt === null) {
        return reply.send(describeStatus(await statusOf(record), everything))
      }
      const body = describeCompleted(record, await reachOf(record), new Date())
      if (body.error === null) return reply.send(body)
      const recovery_options = recoveryOf(record, await estimates.estimateFor(engine, record))
      return reply.send({ ...body, error: { ...body.error, recovery_options } })
    },
  )
}
