import type { ExecutionInput } from '#engine'
import { type CallbackPlan, invalidField, reportsFailure, reportsProgress } from '#executions-api'

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
export function requireOneUrl({ callback_config, notifications }: Addresses): void {
  const [one, other] = [callback_config?.webhook_url, notifications?.webhook_url]
  if (one === undefined || other === undefined || one === other) return
  throw invalidField({
    path: 'options.notifications.webhook_url',
    message: 'is not the one of callback_config',
    code: 'webhook_url',
  })
}
