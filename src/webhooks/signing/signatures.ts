import { createHmac } from 'node:crypto'
import { standardKey } from './secrets.ts'

/** The current secret, and for a day after a rotation the previous one. */
export interface Secrets {
  readonly current: string
  readonly previous: string | undefined
}

/** The `signature` of an envelope, over its canonical JSON, so that receivers can check it after parsing and storing. */
export function signEnvelope(envelope: object, { current }: Secrets): string {
  return hexSignature(current, canonicalJson(envelope))
}

interface Message {
  readonly id: string
  readonly sentAt: Date
  /** Before compression. */
  readonly body: string
}

/** The signature headers: `x-webhook-signature` over the body, and those of Standard Webhooks with both secrets. */
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

/**
 * Canonical JSON (RFC 8785): names in the order of their UTF-16 code units, no spaces, numbers and strings as ECMAScript writes them.
 * Sender and receiver sign the same text for the same value, even after it was parsed and serialised again.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => `${writeString(name)}:${canonicalJson(item)}`)
    return `{${members.join(',')}}`
  }
  if (typeof value === 'string') return writeString(value)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${value} has no JSON representation`)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return JSON.stringify(value)
  throw new TypeError(`a ${typeof value} has no JSON representation`)
}

function writeString(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('a lone surrogate has no JSON representation')
  return JSON.stringify(text)
}
