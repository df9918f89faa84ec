import { createHmac } from 'node:crypto'
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

/**
 * The one way to write a JSON value by RFC 8785: names in the order of their UTF-16 code units, no spaces, numbers and texts as
 * ECMAScript writes them. Two sides that have the same value sign the same text, whatever happened to it on its way.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => `${writeText(name)}:${canonicalJson(item)}`)
    return `{${members.join(',')}}`
  }
  if (typeof value === 'string') return writeText(value)
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is no JSON`)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return JSON.stringify(value)
  throw new TypeError(`a ${typeof value} is no JSON`)
}

function writeText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('half a character is no JSON')
  return JSON.stringify(text)
}
