import type { ExecutionInput } from '#engine'
import {
  type CallbackPlan,
  invalidField,
  reportsFailure,
  reportsProgress,
  type StartRequest,
} from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import type { ExecuteFlowAsyncBody, ExecuteFlowBody } from '../schemas/requests.ts'

const defaultBatchSize = 10

export function readExecuteFlow(body: ExecuteFlowBody, now: Date): StartRequest {
  const { flow_id, flow_version, context: given = {}, options: chosen = {} } = body
  const { content_batch: items, processing_rules: rules = {}, ...context } = given
  const {
    execution_mode: mode = 'synchronous',
    priority,
    callback_config,
    notifications,
    ...options
  } = chosen
  requireFuture(context.metadata?.deadline, now)
  requireOneUrl(chosen)
  if (items === undefined) requireEffect(rules)
  const ai = { ...thresholdIn(rules), ...options.ai_options }
  const callbacks = { ...callback_config, ...notifications }
  return {
    flowId: flow_id,
    flowVersion: flow_version,
    priority: priority ?? context.processing_options?.priority ?? 'normal',
    input: {
      context,
      options: { ...options, ...(Object.keys(ai).length > 0 && { ai_options: ai }) },
      memory: {},
      ...(items !== undefined && {
        batch: {
          items,
          size: rules.batch_size ?? defaultBatchSize,
          parallel: rules.parallel_processing ?? true,
        },
      }),
      // Callbacks are stored apart from the execution options.
      ...(Object.keys(callbacks).length > 0 && { callbacks }),
    },
    waits: mode === 'synchronous',
    webhookField: webhookFieldOf(chosen),
  }
}

/** Reads the body of an asynchronous request. */
export function readExecuteFlowAsync(body: ExecuteFlowAsyncBody, now: Date): StartRequest {
  return { ...readExecuteFlow(body, now), waits: false }
}

function webhookFieldOf({
  callback_config,
  notifications,
}: NonNullable<ExecuteFlowBody['options']>): string | undefined {
  if (notifications?.webhook_url !== undefined) return 'options.notifications.webhook_url'
  return callback_config?.webhook_url === undefined ? undefined : 'options.callback_config.webhook_url'
}

type ProcessingRules = NonNullable<NonNullable<ExecuteFlowBody['context']>['processing_rules']>

function thresholdIn({ quality_threshold }: ProcessingRules) {
  return quality_threshold === undefined ? {} : { quality_threshold }
}

/** Refuses item rules in a request without a batch. */
function requireEffect(rules: ProcessingRules): void {
  const problems = (['batch_size', 'parallel_processing'] as const)
    .filter((field) => rules[field] !== undefined)
    .map((field) => ({
      path: `context.processing_rules.${field}`,
      message: 'has no effect without content_batch',
      code: 'no_effect',
    }))
  const [first] = problems
  if (first === undefined) return
  throw kernelFailure('invalid_input', { message: `${first.path} ${first.message}.`, problems })
}

function requireFuture(deadline: string | undefined, now: Date): void {
  if (deadline === undefined || Date.parse(deadline) > now.getTime()) return
  throw invalidField({ path: 'context.metadata.deadline', message: 'is over already', code: 'deadline' })
}

/** The callback events of a request; undefined without a callback URL. */
export function planCallback(
  input: Pick<ExecutionInput, 'callbacks' | 'options'>,
  flowReportsFailure: boolean | undefined,
): CallbackPlan | undefined {
  const url = input.callbacks?.['webhook_url']
  if (typeof url !== 'string') return undefined
  return {
    url,
    events: [
      'execution.started',
      ...(reportsProgress(input) ? ['execution.progress'] : []),
      'execution.completed',
      ...(reportsFailure(input, flowReportsFailure) ? ['execution.failed'] : []),
    ],
  }
}

interface Addresses {
  readonly callback_config?: { readonly webhook_url?: string }
  readonly notifications?: { readonly webhook_url?: string }
}

/** The URL may be in either field, but there is only one. */
function requireOneUrl({ callback_config, notifications }: Addresses): void {
  const [one, other] = [callback_config?.webhook_url, notifications?.webhook_url]
  if (one === undefined || other === undefined || one === other) return
  throw invalidField({
    path: 'options.notifications.webhook_url',
    message: 'is not the one of callback_config',
    code: 'webhook_url',
  })
}
