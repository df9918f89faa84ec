import { readRetryAfter } from '#kernel/outbound'
import { ProviderFailure, type ProviderFailureKind } from './provider-failure.ts'

export interface ErrorStatus {
  /** The name of the provider for the message, such as `OpenAI`. */
  readonly label: string
  readonly status: number
  /** The message of the provider; undefined when it sent none. */
  readonly providerMessage: string | undefined
  /** The error code of the provider, else its type. */
  readonly code: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly key?: string | undefined
  readonly cause?: unknown
}

/**
 * Converts an error status of a provider to a failure.
 *
 * | status                | kind              | except                                                           |
 * |-----------------------|-------------------|------------------------------------------------------------------|
 * | 401, 402, 403         | unauthorized      |                                                                  |
 * | 404                   | model_not_found   | unavailable when the error does not mention a model: a wrong URL |
 * | 429                   | rate_limited      | unauthorized when the quota is used up: waiting does not help    |
 * | 408, 504              | timeout           |                                                                  |
 * | other 4xx             | refused           | unauthorized when the credit is used up or the key is invalid    |
 * | 3xx, 5xx (also 529)   | unavailable       |                                                                  |
 */
export function failureOfStatus(refused: ErrorStatus): ProviderFailure {
  const { label, providerMessage, key, retryAfterSeconds, cause } = refused
  const kind = kindOf(refused)
  const detail =
    providerMessage === undefined || kind === 'unauthorized' ? '' : toSafeMessage(providerMessage, key)
  const message = `${label} ${sentences[kind](refused)}${detail === '' ? '.' : `: ${detail}`}`
  return new ProviderFailure({ kind, message, retryAfterSeconds, cause })
}

const sentences: Readonly<Record<ProviderFailureKind, (refused: ErrorStatus) => string>> = {
  rate_limited: () => 'has reached its rate limit',
  unavailable: ({ status }) => `failed (status ${status})`,
  timeout: ({ status }) => `did not respond in time (status ${status})`,
  malformed: () => 'sent an invalid response',
  unauthorized: (refused) =>
    isQuotaUsedUp(refused)
      ? 'rejected the request: the quota of the account is used up'
      : `does not accept the API key (status ${refused.status})`,
  model_not_found: () => 'has no such model',
  refused: () => 'rejected the request',
  unsupported: () => 'does not support this request',
}

function kindOf(refused: ErrorStatus): ProviderFailureKind {
  const { status, providerMessage, code } = refused
  if (status === 401 || status === 402 || status === 403 || isQuotaUsedUp(refused)) return 'unauthorized'
  if (status === 400 && /^API key not valid/i.test(providerMessage ?? '')) return 'unauthorized'
  if (status === 404) return /model/i.test(`${code} ${providerMessage}`) ? 'model_not_found' : 'unavailable'
  if (status === 429) return 'rate_limited'
  if (status === 408 || status === 504) return 'timeout'
  return status >= 400 && status < 500 ? 'refused' : 'unavailable'
}

const quotaCodes = new Set(['insufficient_quota', 'billing_error', 'budget_used_up'])

/** Providers report an exhausted quota with different statuses. */
function isQuotaUsedUp({ status, providerMessage = '', code = '' }: ErrorStatus): boolean {
  if (status === 402 || quotaCodes.has(code)) return true
  return status === 400 && /credit balance is too low/i.test(providerMessage)
}

const maxSeconds = 24 * 60 * 60

/** The seconds that `Retry-After` asks for: at most a day. Undefined when it is absent or invalid. */
export function readRetrySeconds(header: string | readonly string[] | undefined): number | undefined {
  const milliseconds = readRetryAfter(header)
  return milliseconds === undefined ? undefined : Math.min(Math.ceil(milliseconds / 1000), maxSeconds)
}

/** The error in a response of a provider. */
interface ProviderErrorBody {
  readonly providerMessage: string | undefined
  /** The code of the error, else its type. */
  readonly code: string | undefined
}

/**
 * Reads the body of an error response. Cloud providers, compatible servers and this gateway send
 * `{error: {message, type, code}}`, Gemini `{error: {message, status}}`, the model runtime `{error: "…"}`; gateways of earlier versions add a `code` to the latter.
 */
export function readErrorBody(body: unknown): ProviderErrorBody {
  const error = isRecord(body) ? (body['error'] ?? body) : undefined
  if (typeof error === 'string')
    return { providerMessage: error, code: isRecord(body) ? textOf(body['code']) : undefined }
  if (!isRecord(error)) return { providerMessage: undefined, code: undefined }
  return {
    providerMessage: textOf(error['message']),
    code: textOf(error['code']) ?? textOf(error['type']) ?? textOf(error['status']),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

const maxLength = 300

/**
 * The message of a provider, safe to show to callers: one short line without control characters and without the API key,
 * which some providers repeat when they reject it.
 */
export function toSafeMessage(providerMessage: string, key?: string): string {
  const shown =
    key === undefined || key.length < 4 ? providerMessage : providerMessage.replaceAll(key, '[key]')
  const line = shown
    .replaceAll(/\b(sk|tk)[-_][\w*-]{4,}/g, '[key]')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}
