import type { IncomingHttpHeaders, RequestListener } from 'node:http'

/** A webhook that was signed by us. */
export interface WebhookMessage {
  /** The same each time it is sent: what comes twice has one id. */
  readonly id: string
  readonly event: string
  /** When it happened, in epoch seconds. */
  readonly timestamp: number
  readonly signature: string
  /** Absent from webhooks of Orchestra. */
  readonly webhook_id?: string
  /** Of `webhook.verification`: the answer has to hold it. */
  readonly challenge?: string
  /** Absent from `webhook.verification`. */
  readonly data?: Readonly<Record<string, unknown>>
}

export interface ReadOptions {
  /** How far its time may be from ours. Default: 300. */
  readonly toleranceSeconds?: number | undefined
}

export interface ReceiverOptions extends ReadOptions {
  /** Several while one takes the place of another. */
  readonly secret: string | readonly string[]
  /** Called once for each event while this process runs. */
  readonly onEvent: (message: WebhookMessage) => unknown
  /** What was refused, or what `onEvent` threw. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Not ours, not whole, or too old. */
export class WebhookRefused extends Error {}

/** Reads a webhook, given its body as it came, not parsed, and its headers. Throws `WebhookRefused` unless a secret has signed it lately. */
export function readWebhook(
  body: Uint8Array | string,
  headers: IncomingHttpHeaders,
  secret: string | readonly string[],
  options?: ReadOptions,
): WebhookMessage

/** A listener for `http.createServer` that proves itself, refuses what is not signed, and calls `onEvent` once for each event. */
export function createReceiver(options: ReceiverOptions): RequestListener
