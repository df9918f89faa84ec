import { type Static, Type } from 'typebox'
import { type ExecutionFilter, executionTriggers, listedStates, priorities } from '#engine'
import { invalidField, managesAll, readIdList, requireAccount } from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import { executionStates, moment } from '../../schemas/values.ts'

const maxFlows = 20

/** Ten million seconds, about four months. */
const maxSeconds = 10_000_000

const listedStatesText =
  '`needs_approval`, `needs_answer` (a human task is open) and `waiting` (for a time, an event, an answer or a limit of the flow) tell executions that wait from those that are queued or run.'

/** The query parameters that select executions, without their states. */
export const filterQuery = {
  flow_id: Type.Optional(Type.String({ maxLength: 200 })),
  flow_ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: maxFlows,
      description: 'Only executions of these flows, repeated or separated by commas.',
    }),
  ),
  flow_version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Only executions of this version.' }),
  ),
  trigger: Type.Optional(
    Type.Array(Type.Enum([...executionTriggers]), {
      maxItems: executionTriggers.length,
      description:
        'What started it: `trigger`, `schedule`, `rerun`, `fork`, `test` (a draft or a saved test) or `request`; repeated or separated by commas.',
    }),
  ),
  account: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The account. Other accounts require `manage workflows`.',
    }),
  ),
  schedule_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only executions of this schedule.' }),
  ),
  trigger_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only executions of this trigger.' })),
  priority: Type.Optional(Type.Enum([...priorities])),
  error_code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only executions that failed with this code.' }),
  ),
  min_duration: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: maxSeconds,
      description: 'Only executions that ran for at least so many seconds, among the newest 10,000 matches.',
    }),
  ),
  max_duration: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: maxSeconds,
      description: 'Only executions that ran for at most so many seconds, among the newest 10,000 matches.',
    }),
  ),
  since: Type.Optional(moment('Created at or after this time.')),
  until: Type.Optional(moment('Created before this time.')),
  search: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F-]{1,36}$',
      'x-means': 'must be an id, or how one begins',
      description: 'The start of the id.',
    }),
  ),
}

/** The query parameters that select executions by what they do. */
export const stateQuery = {
  status: Type.Optional(Type.Enum([...executionStates])),
  state: Type.Optional(
    Type.Array(Type.Enum([...listedStates]), {
      maxItems: listedStates.length,
      description: `Any of these states, repeated or separated by commas. ${listedStatesText}`,
    }),
  ),
  suspended: Type.Optional(
    Type.Boolean({ description: 'Only executions that only wait; or, with `false`, only others.' }),
  ),
  gated: Type.Optional(
    Type.Boolean({
      description: 'Only executions that a limit of their flow keeps back; or, with `false`, only others.',
    }),
  ),
}

const FilterQuery = Type.Object({ ...stateQuery, ...filterQuery })

/** Reads the filter of a request. Throws `permission_denied` for other accounts, and `invalid_input`. */
export function filterOf(principal: Principal, query: Static<typeof FilterQuery>): ExecutionFilter {
  const { since, until, min_duration: min, max_duration: max } = query
  if (min !== undefined && max !== undefined && min > max) {
    throw invalidField({
      path: 'min_duration',
      message: `is ${min}, which is more than max_duration`,
      code: 'value',
    })
  }
  return {
    accountId: whoseExecutions(principal, query.account),
    status: query.status,
    states: query.state,
    suspended: query.suspended,
    gated: query.gated,
    flowId: query.flow_id,
    flowIds: readIdList(query.flow_ids, { parameter: 'flow_ids', noun: 'flow' }),
    flowVersion: query.flow_version,
    triggers: query.trigger,
    scheduleId: query.schedule_id,
    triggerId: query.trigger_id,
    priority: query.priority,
    errorCode: query.error_code,
    minDurationMs: min === undefined ? undefined : min * 1000,
    maxDurationMs: max === undefined ? undefined : max * 1000,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    search: query.search,
  }
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
