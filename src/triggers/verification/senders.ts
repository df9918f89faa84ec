import { createHash, createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export const senderTypes = [
  'none',
  'header',
  'hmac',
  'standard_webhooks',
  'github',
  'gitlab',
  'stripe',
  'slack',
  'shopify',
] as const

export const hashAlgorithms = ['sha1', 'sha256', 'sha512'] as const
export const signatureEncodings = ['hex', 'base64'] as const

/** How requests prove who sent them. */
export interface Verification {
  readonly type: (typeof senderTypes)[number]
  /** The header with the secret or the signature, for `header` and `hmac`. */
  readonly header?: string | undefined
  readonly algorithm?: (typeof hashAlgorithms)[number] | undefined
  readonly encoding?: (typeof signatureEncodings)[number] | undefined
  /** A text before the signature, such as `sha256=`. */
  readonly prefix?: string | undefined
}

export interface SignedRequest {
  /** The bytes as they were sent: a signature covers them, not what they mean. */
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
}

/** A sender, or a scheme that several senders use. */
interface Sender {
  /** Whether the secret is chosen here and given to the sender; else the sender shows its own. */
  readonly choosesSecret: boolean
  readonly isGenuine: (request: SignedRequest, secret: string, options: CheckOptions) => boolean
  /** What the signature covers. Absent: the sender signs nothing, and every request shows the secret itself, or none. */
  readonly signedParts?: SignedParts
  /** The id that stays the same when the sender repeats a request. */
  readonly deliveryIdOf: (request: SignedRequest, body: unknown) => unknown
  /** Headers with a secret or a signature, which the mapping cannot read. */
  readonly headersOf: (verification: Verification) => readonly string[]
}

interface CheckOptions {
  readonly verification: Verification
  readonly now: Date
}

/** Requests with an older or a later time are refused: they may be recorded ones. */
const toleranceSeconds = 300

const noId = () => undefined

/** The parts of a request that a signature covers. */
type SignedParts = (request: SignedRequest) => readonly (string | Buffer)[]

const signedBody: SignedParts = ({ body }) => [body]

const signedStandard: SignedParts = ({ headers, body }) => [
  `${textOf(headers, 'webhook-id')}.${textOf(headers, 'webhook-timestamp')}.`,
  body,
]

const signedStripe: SignedParts = ({ headers, body }) => [`${stripeValues(headers, 't')[0]}.`, body]

const signedSlack: SignedParts = ({ headers, body }) => [
  `v0:${textOf(headers, 'x-slack-request-timestamp')}:`,
  body,
]

const senders: Readonly<Record<Verification['type'], Sender>> = {
  none: { choosesSecret: false, isGenuine: () => true, deliveryIdOf: noId, headersOf: () => [] },
  header: {
    choosesSecret: true,
    isGenuine: ({ headers }, secret, { verification: { header = '' } }) =>
      isSame(textOf(headers, header), secret),
    deliveryIdOf: noId,
    headersOf: ({ header = '' }) => [header],
  },
  hmac: {
    choosesSecret: true,
    signedParts: signedBody,
    isGenuine(request, secret, { verification }) {
      const { header = '', algorithm = 'sha256', encoding = 'hex', prefix = '' } = verification
      const expected = createSignature(secret, signedBody(request), algorithm).digest(encoding)
      return isSame(textOf(request.headers, header), prefix + expected)
    },
    deliveryIdOf: noId,
    headersOf: ({ header = '' }) => [header],
  },
  standard_webhooks: {
    choosesSecret: true,
    signedParts: signedStandard,
    isGenuine(request, secret, { now }) {
      const { headers } = request
      if (textOf(headers, 'webhook-id') === undefined) return false
      if (!isRecent(textOf(headers, 'webhook-timestamp'), now)) return false
      const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
      const expected = createSignature(key, signedStandard(request)).digest('base64')
      const given = textOf(headers, 'webhook-signature')?.split(' ').slice(0, 10) ?? []
      return given.some((signature) => isSame(signature, `v1,${expected}`))
    },
    deliveryIdOf: ({ headers }) => textOf(headers, 'webhook-id'),
    headersOf: () => ['webhook-signature'],
  },
  github: {
    choosesSecret: true,
    signedParts: signedBody,
    isGenuine: (request, secret) =>
      isSame(
        textOf(request.headers, 'x-hub-signature-256'),
        `sha256=${createSignature(secret, signedBody(request)).digest('hex')}`,
      ),
    deliveryIdOf: ({ headers }) => textOf(headers, 'x-github-delivery'),
    headersOf: () => ['x-hub-signature-256', 'x-hub-signature'],
  },
  gitlab: {
    choosesSecret: true,
    isGenuine: ({ headers }, secret) => isSame(textOf(headers, 'x-gitlab-token'), secret),
    // `X-Gitlab-Event-UUID` is shared by all hooks that one event runs, so it does not identify a request.
    deliveryIdOf: ({ headers }) => textOf(headers, 'idempotency-key'),
    headersOf: () => ['x-gitlab-token'],
  },
  stripe: {
    choosesSecret: false,
    signedParts: signedStripe,
    isGenuine(request, secret, { now }) {
      const { headers } = request
      if (!isRecent(stripeValues(headers, 't')[0], now)) return false
      const expected = createSignature(secret, signedStripe(request)).digest('hex')
      return stripeValues(headers, 'v1').some((signature) => isSame(signature, expected))
    },
    deliveryIdOf: (_request, body) => fieldOf(body, 'id'),
    headersOf: () => ['stripe-signature'],
  },
  slack: {
    choosesSecret: false,
    signedParts: signedSlack,
    isGenuine(request, secret, { now }) {
      const { headers } = request
      if (!isRecent(textOf(headers, 'x-slack-request-timestamp'), now)) return false
      const expected = createSignature(secret, signedSlack(request)).digest('hex')
      return isSame(textOf(headers, 'x-slack-signature'), `v0=${expected}`)
    },
    deliveryIdOf: (_request, body) => fieldOf(body, 'event_id'),
    headersOf: () => ['x-slack-signature'],
  },
  shopify: {
    choosesSecret: false,
    signedParts: signedBody,
    isGenuine: (request, secret) =>
      isSame(
        textOf(request.headers, 'x-shopify-hmac-sha256'),
        createSignature(secret, signedBody(request)).digest('base64'),
      ),
    deliveryIdOf: ({ headers }) => textOf(headers, 'x-shopify-webhook-id'),
    headersOf: () => ['x-shopify-hmac-sha256'],
  },
}

/** Whether the platform chooses the secret; else the sender shows one, which has to be given. */
export function choosesSecret({ type }: Verification): boolean {
  return senders[type].choosesSecret
}

/** Whether the request comes from the holder of the secret, and is recent where the sender signs its time. Never throws. */
export function isGenuine(
  verification: Verification,
  request: SignedRequest,
  { secret, now }: { readonly secret: string; readonly now: Date },
): boolean {
  return senders[verification.type].isGenuine(request, secret, { verification, now })
}

/** The id that the sender gives a request; undefined when it has none. */
export function senderDeliveryId(
  { type }: Verification,
  request: SignedRequest,
  body: unknown,
): string | undefined {
  const id = senders[type].deliveryIdOf(request, body)
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** A hash of what the signature of a genuine request covers: a replay cannot change it. Undefined where the sender signs nothing. */
export function signedHash({ type }: Verification, request: SignedRequest): Buffer | undefined {
  const parts = senders[type].signedParts?.(request)
  return parts === undefined ? undefined : hash(...parts)
}

/** Headers that the mapping must not read, in lower case. */
export function secretHeaders(verification: Verification): readonly string[] {
  return senders[verification.type].headersOf(verification).map((name) => name.toLowerCase())
}

/** The challenge that Slack sends to check a URL; undefined for every other request. */
export function slackChallenge({ type }: Verification, body: unknown): string | undefined {
  if (type !== 'slack' || fieldOf(body, 'type') !== 'url_verification') return undefined
  const challenge = fieldOf(body, 'challenge')
  return typeof challenge === 'string' ? challenge : undefined
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return typeof value === 'string' ? value : undefined
}

/** The values of a part of the signature header of Stripe, which may have several. */
function stripeValues(headers: IncomingHttpHeaders, name: string): readonly string[] {
  const parts = (textOf(headers, 'stripe-signature') ?? '').split(',').slice(0, 20)
  return parts.flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []))
}

function createSignature(
  key: string | Buffer,
  parts: ReturnType<SignedParts>,
  algorithm: (typeof hashAlgorithms)[number] = 'sha256',
): Hmac {
  const hmac = createHmac(algorithm, key)
  for (const part of parts) hmac.update(part)
  return hmac
}

function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined
  return (body as Record<string, unknown>)[name]
}

function isRecent(seconds: string | undefined, now: Date): boolean {
  if (seconds === undefined || !/^\d{1,12}$/.test(seconds)) return false
  return Math.abs(now.getTime() / 1000 - Number(seconds)) <= toleranceSeconds
}

/** Compares hashes, so that the time tells neither the length nor the beginning of the expected text. */
function isSame(given: string | undefined, expected: string): boolean {
  return given !== undefined && timingSafeEqual(hash(given), hash(expected))
}

function hash(...parts: ReturnType<SignedParts>): Buffer {
  const created = createHash('sha256')
  for (const part of parts) created.update(part)
  return created.digest()
}
