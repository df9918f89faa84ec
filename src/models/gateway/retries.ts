import type { Metrics } from '#kernel/telemetry'
import type { ProviderName } from '../providers/provider.ts'
import type { ProviderFailure } from '../providers/provider-failure.ts'
import { createRetryBudget, type RetryBudget } from './retry-budget.ts'

/** Decides whether a failed attempt is made again at the same provider, and when. */
export interface Retries {
  /** Retries of a candidate where the call does not set their number. */
  readonly usual: number
  /** Counts the first attempt of a call at a provider. */
  countCall(provider: ProviderName): void
  /**
   * Takes one retry. Returns the milliseconds to wait before it; undefined when the attempt is not made again. `retry` counts the retries of
   * this candidate so far.
   */
  take(provider: ProviderName, failure: ProviderFailure, retry: number): number | undefined
}

export interface RetriesOptions {
  readonly usual: number
  readonly metrics: Metrics
  readonly budget?: RetryBudget
  /** A number from 0 to below 1. */
  readonly random?: () => number
}

const firstPauseMs = 100
/** A provider that is limited for longer is left to the caller, or to the next candidate. */
const maxRetryAfterSeconds = 2

/**
 * | failure before the first part                          | retried after                                             |
 * |--------------------------------------------------------|-----------------------------------------------------------|
 * | rate_limited, unavailable                              | a random part of 100 ms, doubled with each retry          |
 * | the same with `Retry-After` up to two seconds          | at least that time                                        |
 * | the same with a longer `Retry-After`                   | not                                                       |
 * | timeout: the provider may still work on it             | not                                                       |
 * | any other: it would fail again                         | not                                                       |
 */
export function createRetries(options: RetriesOptions): Retries {
  const { usual, metrics, budget = createRetryBudget(), random = Math.random } = options
  const retried = metrics.counter({
    name: 'models_retries_total',
    help: 'Attempts that were made again at the same provider.',
    labels: ['provider'],
  })
  return {
    usual,
    countCall: (provider) => budget.countCall(provider),
    take(provider, { kind, retryAfterSeconds = 0 }, retry) {
      if (kind !== 'rate_limited' && kind !== 'unavailable') return undefined
      if (retryAfterSeconds > maxRetryAfterSeconds || !budget.take(provider)) return undefined
      retried.inc({ provider })
      return Math.max(retryAfterSeconds * 1000, random() * firstPauseMs * 2 ** retry)
    },
  }
}
