import type { IncomingHttpHeaders, RequestListener } from 'node:http'

/** A webhook with a valid signature. */
export interface WebhookMessage {
  /** The same for every attempt, for deduplication. */
  readonly id: string
  readonly event: string
  /** The time of the event in epoch seconds. */
  readonly timestamp: number
  readonly signature: string
  /** Absent from webhooks of the Orchestra API. */
  readonly webhook_id?: string
  /** Of `webhook.verification`: the response must contain it. */
  readonly challenge?: string
  /** Absent from `webhook.verification`. */
  readonly data?: Readonly<Record<string, unknown>>
}

export interface ReadOptions {
  /** The maximum difference between the clocks of sender and receiver. Default: 300. */
  readonly toleranceSeconds?: number | undefined
}

export interface ReceiverOptions extends ReadOptions {
  /** Several during a rotation. */
  readonly secret: string | readonly string[]
  /** Called once for each event while this process runs. */
  readonly onEvent: (message: WebhookMessage) => unknown
  /** Called with the `WebhookRefused`, or with the error `onEvent` threw. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** The webhook has no valid signature, is malformed or is too old. */
export class WebhookRefused extends Error {}

/** Reads a webhook from its raw body and headers. Throws `WebhookRefused` unless it has a valid signature and a recent timestamp. */
export function readWebhook(
  body: Uint8Array | string,
  headers: IncomingHttpHeaders,
  secret: string | readonly string[],
  options?: ReadOptions,
): WebhookMessage

/** A listener for `http.createServer`: it answers the verification challenge, rejects invalid signatures and calls `onEvent` once per event. */
export function createReceiver(options: ReceiverOptions): RequestListener
