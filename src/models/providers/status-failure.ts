import { ProviderFailure, type ProviderFailureKind } from './provider-failure.ts'
import { tellable } from './tellable.ts'

export interface RefusedStatus {
  /** Begins the sentence: `OpenAI`. */
  readonly who: string
  readonly status: number
  /** The provider's own words; undefined when it gave none. */
  readonly said: string | undefined
  /** What the provider calls the error: its code, or its type. */
  readonly code: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly key?: string | undefined
  readonly cause?: unknown
}

/**
 * What an error status of a provider means.
 *
 * | status                | kind              | but                                                              |
 * |-----------------------|-------------------|------------------------------------------------------------------|
 * | 401, 402, 403         | unauthorized      |                                                                  |
 * | 404                   | model_not_found   | unavailable when it does not speak of a model: a wrong address   |
 * | 429                   | rate_limited      | unauthorized when our quota is used up: waiting does not help    |
 * | 408, 504              | timeout           |                                                                  |
 * | other 4xx             | refused           | unauthorized when it wants to be paid first                      |
 * | 3xx, 5xx (also 529)   | unavailable       |                                                                  |
 */
export function failureOfStatus(refused: RefusedStatus): ProviderFailure {
  const { who, said, key, retryAfterSeconds, cause } = refused
  const kind = kindOf(refused)
  const words = said === undefined || kind === 'unauthorized' ? '' : tellable(said, key)
  const message = `${who} ${sentences[kind](refused)}${words === '' ? '.' : `: ${words}`}`
  return new ProviderFailure({ kind, message, retryAfterSeconds, cause })
}

const sentences: Readonly<Record<ProviderFailureKind, (refused: RefusedStatus) => string>> = {
  rate_limited: () => 'takes no more requests for now',
  unavailable: ({ status }) => `cannot answer (status ${status})`,
  timeout: ({ status }) => `did not answer in time (status ${status})`,
  malformed: () => 'sent something that is not an answer',
  unauthorized: (refused) =>
    isUsedUp(refused)
      ? 'does not answer: what was paid for is used up'
      : `does not accept our key (status ${refused.status})`,
  model_not_found: () => 'has no such model',
  refused: () => 'does not take this request',
  unsupported: () => 'cannot do what was asked',
}

function kindOf(refused: RefusedStatus): ProviderFailureKind {
  const { status, said, code } = refused
  if (status === 401 || status === 402 || status === 403 || isUsedUp(refused)) return 'unauthorized'
  if (status === 404) return /model/i.test(`${code} ${said}`) ? 'model_not_found' : 'unavailable'
  if (status === 429) return 'rate_limited'
  if (status === 408 || status === 504) return 'timeout'
  return status >= 400 && status < 500 ? 'refused' : 'unavailable'
}

const usedUpCodes = new Set(['insufficient_quota', 'billing_error', 'budget_used_up'])

/** Providers word this as one of several statuses. */
function isUsedUp({ status, said = '', code = '' }: RefusedStatus): boolean {
  if (status === 402 || usedUpCodes.has(code)) return true
  return status === 400 && /credit balance is too low/i.test(said)
}
