/** Whose words a webhook speaks. */
export type Api = 'workflows' | 'orchestra'

export const statuses = ['pending_verification', 'active', 'disabled'] as const
export type WebhookStatus = (typeof statuses)[number]

type DisabledReason = 'owner' | 'gone' | 'failing'

/** Which events reach a webhook. What is absent lets everything through. */
export interface Filters {
  readonly flow_ids?: readonly string[]
  /** Dollars. An event without a cost does not pass. */
  readonly min_cost?: number
  readonly priority?: readonly string[]
}

/** Seconds, both. Without `retry_delay` the pauses are those of the default schedule. */
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

/** What the owner of a webhook says about it. */
export interface WebhookConfig {
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
  /** Until when signatures are also made with the secret before; null when there is none. */
  readonly previousSecretUntil: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const deliveryStates = ['pending', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The event that a URL has to answer before it is sent any other. */
export const verificationEvent = 'webhook.verification'
