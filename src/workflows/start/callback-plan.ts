import type { ExecutionInput } from '#engine'
import { kernelFailure } from '#kernel/errors'
import type { CallbackEvent } from '../events/event-names.ts'

/** Whom the callback of an execution goes to, and what it hears. */
export interface CallbackPlan {
  readonly url: string
  readonly events: readonly CallbackEvent[]
}

/** Undefined when nobody is to be called. */
export function planCallback(
  input: Pick<ExecutionInput, 'callbacks' | 'options'>,
  flowTellsFailure: boolean | undefined,
): CallbackPlan | undefined {
  const url = input.callbacks?.['webhook_url']
  if (typeof url !== 'string') return undefined
  const tellsFailure = input.options.error_handling?.notification_on_failure ?? flowTellsFailure ?? true
  return {
    url,
    events: [
      'execution.started',
      ...(tellsProgress(input) ? (['execution.progress'] as const) : []),
      'execution.completed',
      ...(tellsFailure ? (['execution.failed'] as const) : []),
    ],
  }
}

/** Unless somebody said no. */
function tellsProgress({ callbacks, options }: Pick<ExecutionInput, 'callbacks' | 'options'>): boolean {
  return callbacks?.['progress_callbacks'] !== false && options.monitoring?.send_progress_updates !== false
}

const millisecondsIn = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** How often the callback hears of progress; undefined when that goes by steps, or is not wanted. */
export function progressEveryMs(input: Pick<ExecutionInput, 'callbacks' | 'options'>): number | undefined {
  const { webhook_url: url, progress_interval: interval } = input.callbacks ?? {}
  if (url === undefined || !tellsProgress(input)) return undefined
  if (typeof interval === 'number') return interval * 1000
  const [, amount, unit] = /^(\d+)([smh])$/.exec(String(interval)) ?? []
  return unit === undefined ? undefined : Number(amount) * millisecondsIn[unit as keyof typeof millisecondsIn]
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

export function refuseAddress(path: string, message: string) {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'webhook_url' }],
  })
}
