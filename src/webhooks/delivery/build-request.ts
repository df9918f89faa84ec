import { gzipSync } from 'node:zlib'
import { type Secrets, signatureHeaders, signEnvelope } from '../signing/signatures.ts'
import type { Api, Format } from '../webhook.ts'

/** A delivery before it is formatted and signed. */
export interface Message {
  readonly id: string
  readonly webhookId: string
  readonly api: Api
  readonly event: string
  readonly occurredAt: Date
  /** `{ data }`, `{ test, data }` of a test, or `{ challenge }` of a verification. */
  readonly content: Readonly<Record<string, unknown>>
}

export interface DeliveryRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** The `signature` field of the envelope. */
  readonly signature: string
}

/** The JSON that is signed and sent: the same for every attempt and every process. */
export function envelopeOf({ webhookId, api, event, occurredAt, content }: Message): Record<string, unknown> {
  return {
    event,
    timestamp: Math.floor(occurredAt.getTime() / 1000),
    ...(api === 'workflows' && { webhook_id: webhookId }),
    ...content,
  }
}

/** Encodes a message in the format of the webhook. Signatures cover the text before compression. */
export function buildRequest(
  message: Message,
  format: Format,
  secrets: Secrets,
  sentAt: Date,
): DeliveryRequest {
  const envelope = envelopeOf(message)
  const signature = signEnvelope(envelope, secrets)
  const json = JSON.stringify({ ...envelope, signature })
  const body =
    format.content_type === 'application/json' ? json : new URLSearchParams({ payload: json }).toString()
  const isCompressed = format.compression === 'gzip'
  return {
    signature,
    headers: {
      'content-type': format.content_type,
      ...(isCompressed && { 'content-encoding': 'gzip' }),
      'x-webhook-event': message.event,
      ...signatureHeaders({ id: message.id, sentAt, body }, secrets),
    },
    body: isCompressed ? gzipSync(body) : body,
  }
}

/** SQL: the content of `webhook_deliveries as delivery` with the full context, which is stored once per partition. */
export const contentWithContext = `
  case when context.fields is null then delivery.content
    else jsonb_set(delivery.content, '{data}', delivery.content -> 'data' || context.fields) end
`

export const joinContext = `
  left join webhook_contexts as context
    on delivery.with_context and context.webhook_id = delivery.webhook_id and context.subject = delivery.subject
`
