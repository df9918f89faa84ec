import { createHmac } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import { standardKey } from './secrets.ts'

/** The secret that counts, and for a day after a change the one before. */
export interface Secrets {
  readonly current: string
  readonly previous: string | undefined
}

/** `signature` of an envelope: over its canonical form, so that it survives being parsed and stored. */
export function signEnvelope(envelope: object, { current }: Secrets): string {
  return hexSignature(current, canonicalJson(envelope))
}

interface Message {
  readonly id: string
  readonly sentAt: Date
  /** As it is before it is compressed. */
  readonly body: string
}

/** The headers that prove a request: ours over the body as it is, and those of the Standard Webhooks, with both secrets. */
export function signatureHeaders(
  { id, sentAt, body }: Message,
  { current, previous }: Secrets,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const secrets = previous === undefined ? [current] : [current, previous]
  const text = `${id}.${timestamp}.${body}`
  return {
    'x-webhook-signature': hexSignature(current, body),
    ...(previous !== undefined && { 'x-webhook-signature-previous': hexSignature(previous, body) }),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${createHmac('sha256', standardKey(secret)).update(text).digest('base64')}`)
      .join(' '),
  }
}

function hexSignature(secret: string, text: string): string {
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
}
