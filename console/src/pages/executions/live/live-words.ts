import type { Tone } from '../../../parts/Status.tsx'

/** An event of the live stream. */
export interface LiveEvent {
  readonly id: string
  readonly kind: string
  /** The time of the event. */
  readonly at: string
  readonly data: Readonly<Record<string, unknown>>
}

interface Words {
  readonly tone: Tone
  readonly title: string
}

/** The event types with their titles. */
export const liveKinds: Readonly<Record<string, Words>> = {
  workflow_started: { tone: 'busy', title: 'Started' },
  workflow_completed: { tone: 'good', title: 'Completed' },
  workflow_failed: { tone: 'bad', title: 'Failed' },
  agent_performance: { tone: 'idle', title: 'Agent metrics' },
  cost_alert: { tone: 'warn', title: 'Cost alert' },
  provider_status: { tone: 'warn', title: 'Provider changed' },
  error: { tone: 'warn', title: 'Error' },
  stream_reset: { tone: 'idle', title: 'Stream reset' },
}

/** The title of an event; an unknown type is shown by its name. */
export function describeKind({ kind, data }: Pick<LiveEvent, 'kind' | 'data'>): Words {
  if (kind === 'workflow_failed' && data['status'] === 'cancelled')
    return { tone: 'idle', title: 'Cancelled' }
  if (kind === 'provider_status' && data['status'] === 'online')
    return { tone: 'good', title: 'Provider online' }
  const known = Object.hasOwn(liveKinds, kind) ? liveKinds[kind] : undefined
  return known ?? { tone: 'idle', title: kind.replaceAll('_', ' ') }
}

/** The subject of an event. */
export function describeWhom({ data }: Pick<LiveEvent, 'data'>): string {
  const named = [data['workflow_id'], data['agent_id'], data['provider']].find((it) => typeof it === 'string')
  return typeof named === 'string' ? named : '–'
}

/** The most important detail of an event. */
export function describeMore({ kind, data }: Pick<LiveEvent, 'kind' | 'data'>): string {
  const { duration, error, current_cost: cost, threshold, status, retry_in: retryIn } = data
  if (kind === 'workflow_completed' && typeof duration === 'number') return `in ${seconds(duration)}`
  if (kind === 'workflow_failed') return messageOf(error)
  if (kind === 'cost_alert') return `${dollars(cost)} of ${dollars(threshold)}`
  if (kind === 'provider_status' && typeof status === 'string') return status
  if (kind === 'agent_performance') return describeAgent(data)
  if (kind === 'error') {
    const again = typeof retryIn === 'number' ? `; retry in ${seconds(retryIn)}` : ''
    return `${messageOf(error)}${again}`
  }
  if (kind === 'workflow_started' && typeof data['estimated_duration'] === 'number') {
    return `about ${seconds(data['estimated_duration'])}`
  }
  return ''
}

function describeAgent({ success_rate: rate, avg_response_time: time }: LiveEvent['data']): string {
  const parts = [
    typeof rate === 'number' ? `${Math.round(rate)} % success` : '',
    typeof time === 'number' ? `${seconds(time)} each` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  const message = (error as { readonly message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : ''
}

function seconds(value: number): string {
  return value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(1)} s`
}

function dollars(value: unknown): string {
  return typeof value === 'number' ? `$${value.toLocaleString('en', { maximumFractionDigits: 6 })}` : '–'
}
