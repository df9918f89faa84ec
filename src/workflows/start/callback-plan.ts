import type { ExecutionInput } from '#engine'
import { type CallbackPlan, refuseAddress, tellsFailure, tellsProgress } from '#runs'

/** Undefined when nobody is to be called. */
export function planCallback(
  input: Pick<ExecutionInput, 'callbacks' | 'options'>,
  flowTellsFailure: boolean | undefined,
): CallbackPlan | undefined {
  const url = input.callbacks?.['webhook_url']
  if (typeof url !== 'string') return undefined
  return {
    url,
    events: [
      'execution.started',
      ...(tellsProgress(input) ? ['execution.progress'] : []),
      'execution.completed',
      ...(tellsFailure(input, flowTellsFailure) ? ['execution.failed'] : []),
    ],
  }
}

interface Addresses {
  readonly callback_config?: { readonly webhook_url?: string }
  readonly notifications?: { readonly webhook_url?: string }
}

/** The address may stand in either place, but there is one. */
export function requireOneAddress({ callback_config, notifications }: Addresses): void {
  const [one, other] = [callback_config?.webhook_url, notifications?.webhook_url]
  if (one === undefined || other === undefined || one === other) return
  throw refuseAddress('options.notifications.webhook_url', 'is not the one of callback_config')
}
