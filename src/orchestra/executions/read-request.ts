import type { ExecutionInput } from '#engine'
import type { Asked, CallbackPlan } from '#runs'
import type { ExecuteWorkflowBody } from './request.ts'

/** What a request asks for, in the words of the engine. */
export function readExecuteWorkflow({ workflow_id, context = {}, options = {} }: ExecuteWorkflowBody): Asked {
  const { timeout, retry_attempts, callback_url, notification_email, monitoring } = options
  const callbacks = {
    // Unlike elsewhere, progress is told only to those who ask for it.
    ...(callback_url !== undefined && {
      webhook_url: callback_url,
      progress_callbacks: monitoring?.send_progress_updates === true,
    }),
    ...(notification_email !== undefined && { notification_email }),
  }
  return {
    flowId: workflow_id,
    flowVersion: undefined,
    priority: context.metadata?.priority ?? 'normal',
    input: {
      context,
      options: {
        ...(timeout !== undefined && { max_execution_time: timeout }),
        ...(retry_attempts !== undefined && { error_handling: { retry_attempts } }),
        ...(monitoring !== undefined && { monitoring }),
      },
      memory: {},
      ...(Object.keys(callbacks).length > 0 && { callbacks }),
    },
    waits: options.async !== true,
    webhookField: callback_url === undefined ? undefined : 'options.callback_url',
  }
}

/** What the address hears; undefined when there is none. */
export function planCallback({ callbacks }: Pick<ExecutionInput, 'callbacks'>): CallbackPlan | undefined {
  const url = callbacks?.['webhook_url']
  if (typeof url !== 'string') return undefined
  return {
    url,
    events: [
      ...(callbacks?.['progress_callbacks'] === true ? ['workflow.progress'] : []),
      'workflow.completed',
      'workflow.failed',
    ],
  }
}
