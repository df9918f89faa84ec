import type { Tone } from '../../parts/Status.tsx'
import type { Webhook } from './webhook-calls.ts'

interface Words {
  readonly tone: Tone
  readonly word: string
  /** The meaning of the state, and how to resolve it. */
  readonly about: string
}

const disabledReasons: Readonly<Record<string, string>> = {
  owner: 'You disabled this webhook. No events are sent until you enable it again.',
  gone: 'The receiver responded 410 Gone. Enable the webhook once the receiver is available again.',
  failing:
    'Deliveries failed for days. Fix the receiver, enable the webhook and redeliver the failed deliveries.',
}

/** The display name of a webhook state, with its meaning. */
export function describeWebhook(
  webhook: Pick<Webhook, 'status' | 'disabled_reason' | 'failing_since'>,
): Words {
  const { status, disabled_reason: reason, failing_since: failingSince } = webhook
  if (status === 'pending_verification') {
    const about =
      'No events are sent until the receiver returns the challenge or the verification URL is opened.'
    return { tone: 'idle', word: 'Not verified', about }
  }
  if (status === 'disabled') {
    return {
      tone: reason === 'owner' ? 'idle' : 'bad',
      word: 'Disabled',
      about: disabledReasons[reason ?? ''] ?? 'No events are sent.',
    }
  }
  if (failingSince !== null) {
    return {
      tone: 'warn',
      word: 'Failing',
      about: 'The last deliveries failed and are retried.',
    }
  }
  return { tone: 'good', word: 'Active', about: 'Subscribed events are sent as they occur.' }
}

/** The result of the last attempt in a few words, with the reason of a failure. */
export function describeLastResult({
  state,
  status_code: status,
  error,
}: Pick<NonNullable<Webhook['last_delivery']>, 'state' | 'status_code' | 'error'>): {
  readonly tone: Tone
  readonly word: string
  readonly title?: string
} {
  const word = status === null ? 'No response' : `HTTP ${status}`
  if (state === 'delivered') return { tone: 'good', word }
  return { tone: state === 'dead' ? 'bad' : 'warn', word, ...(error === null ? {} : { title: error }) }
}

/** Converts epoch seconds to the time format of the console. */
export function momentOf(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString()
}
