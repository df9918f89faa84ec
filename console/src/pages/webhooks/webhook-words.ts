import type { Tone } from '../../parts/Status.tsx'
import type { Webhook } from './webhook-calls.ts'

interface Words {
  readonly tone: Tone
  readonly word: string
  /** What it means, and what to do about it. */
  readonly about: string
}

const disabledReasons: Readonly<Record<string, string>> = {
  owner: 'You disabled it. Nothing is sent until you enable it again.',
  gone: 'The receiver answered 410: it wants no more. Enable it once the receiver is there again.',
  failing:
    'Nothing has arrived there for days. Mend the receiver, enable it again, and send again what was given up.',
}

/** The state of a webhook in a word, with what it means. */
export function describeWebhook(
  webhook: Pick<Webhook, 'status' | 'disabled_reason' | 'failing_since'>,
): Words {
  const { status, disabled_reason: reason, failing_since: failingSince } = webhook
  if (status === 'pending_verification') {
    const about =
      'It is sent nothing but a challenge until it is verified: by answering with the challenge, or by its verification address.'
    return { tone: 'idle', word: 'Not verified', about }
  }
  if (status === 'disabled') {
    return {
      tone: reason === 'owner' ? 'idle' : 'bad',
      word: 'Disabled',
      about: disabledReasons[reason ?? ''] ?? 'Nothing is sent.',
    }
  }
  if (failingSince !== null) {
    return {
      tone: 'warn',
      word: 'Failing',
      about: 'The last deliveries did not arrive. They are tried again.',
    }
  }
  return { tone: 'good', word: 'Active', about: 'What it subscribed to is sent as it happens.' }
}
