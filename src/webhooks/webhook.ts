/** The API a webhook belongs to. It decides the fields of its requests and envelopes. */
export type Api = 'workflows' | 'orchestra'

export const statuses = ['pending_verification', 'active', 'disabled'] as const
export type WebhookStatus = (typeof statuses)[number]

type DisabledReason = 'owner' | 'gone' | 'failing'

/** Restricts the events of a webhook. An absent filter passes everything. */
export interface Filters {
  readonly flow_ids?: readonly string[]
  /** Dollars. An event without a cost does not pass. */
  readonly min_cost?: number
  readonly priority?: readonly string[]
}

/** `retry_delay` and `timeout` are seconds. Without `retry_delay` the default schedule applies. */
export interface RetryPolicy {
  readonly max_attempts?: number
  readonly retry_delay?: number
  readonly exponential_backoff?: boolean
  readonly timeout?: number
}

export const contentTypes = ['application/json', 'application/x-www-form-urlencoded'] as const
export const compressions = ['none', 'gzip'] as const

export interface Format {
  readonly content_type: (typeof contentTypes)[number]
  readonly include_full_context: boolean
  readonly include_intermediate_results: boolean
  readonly compression: (typeof compressions)[number]
}

export const plainFormat: Format = {
  content_type: 'application/json',
  include_full_context: false,
  include_intermediate_results: false,
  compression: 'none',
}

/** The configuration by the owner of a webhook. */
export interface WebhookConfig {
  /** Null without a name. */
  readonly name: string | null
  readonly url: string
  readonly events: readonly string[]
  readonly filters: Filters
  readonly retryPolicy: RetryPolicy
  readonly format: Format
}

/** A subscription, without its secrets. */
export interface Webhook extends WebhookConfig {
  readonly id: string
  readonly api: Api
  readonly accountId: string
  readonly status: WebhookStatus
  readonly disabledReason: DisabledReason | null
  readonly disabledAt: Date | null
  readonly verificationExpiresAt: Date | null
  readonly verifiedAt: Date | null
  readonly failingSince: Date | null
  /** Until when deliveries are also signed with the previous secret; null without one. */
  readonly previousSecretUntil: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The delivery of a webhook that was attempted last. */
export interface LastDelivery {
  readonly id: string
  readonly event: string
  readonly state: DeliveryState
  /** Null when no response was received. */
  readonly status: number | null
  /** Epoch seconds. */
  readonly attemptedAt: number
  readonly error: string | null
}

/** A webhook with the result of its last attempt; null before the first. */
export interface WebhookWithResult extends Webhook {
  readonly lastDelivery: LastDelivery | null
}

export const deliveryStates = ['pending', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The default event of a test, and the subject of all tests: they never wait for, or delay, other deliveries. */
export const testEvent = 'webhook.test'

/** The challenge that a receiver must return before it is sent other events. */
export const verificationEvent = 'webhook.verification'
