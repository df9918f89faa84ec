import type { Tone } from '../../../parts/Status.tsx'
import type { Trigger, TriggerBody, TriggerDelivery } from './trigger-queries.ts'

type Sender = NonNullable<TriggerBody['verification']>['type']

/** The senders of webhooks, by how they prove who they are. */
export const senderWords: Readonly<Record<Sender, string>> = {
  standard_webhooks: 'Standard Webhooks signature',
  github: 'GitHub',
  gitlab: 'GitLab',
  stripe: 'Stripe',
  slack: 'Slack',
  shopify: 'Shopify',
  header: 'Secret in a header',
  hmac: 'Signature of the body (HMAC)',
  none: 'None: everyone who knows the URL',
}

/** These senders show their own secret. */
export const ownSecretSenders: ReadonlySet<string> = new Set<Sender>(['stripe', 'slack', 'shopify'])

export const outcomeWords: Readonly<
  Record<TriggerDelivery['outcome'], { readonly tone: Tone; readonly word: string }>
> = {
  received: { tone: 'busy', word: 'Received' },
  delayed: { tone: 'busy', word: 'Delayed' },
  started: { tone: 'good', word: 'Started' },
  signalled: { tone: 'good', word: 'Event sent' },
  ignored: { tone: 'idle', word: 'Ignored' },
  refused: { tone: 'bad', word: 'Refused' },
}

export function nameOfTrigger({ label, kind }: Pick<Trigger, 'label' | 'kind'>): string {
  return label ?? (kind === 'webhook' ? 'Webhook' : 'Event trigger')
}

/** What starts it: the sender of a webhook, or the events. */
export function describeSource({ verification, events }: Pick<Trigger, 'verification' | 'events'>): string {
  if (events !== null) return events.join(', ')
  const type = verification?.['type']
  return Object.entries(senderWords).find(([name]) => name === type)?.[1] ?? '–'
}
