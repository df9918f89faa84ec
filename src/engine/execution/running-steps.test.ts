import { expect, test, vi } from 'vitest'
import { StepFailure } from '../steps/step-failure.ts'
import type { StepRun } from '../steps/step-run.ts'
import { attemptStep } from './running-steps.ts'

test('a step is not retried at once when Retry-After is longer than the longest timer', async () => {
  const giveUp = new AbortController()
  const rules = {
    attemptsOf: () => 2,
    onFailureOf: () => 'abort',
    pauseMsBefore: () => 1000,
    retriesProviders: true,
  }
  const first = {
    step: { id: 'only', type: 'external_api' },
    rules,
    signal: giveUp.signal,
    avoidedProviders: new Set(),
  } as unknown as StepRun
  const run = vi.fn(async () => {
    throw new StepFailure({ code: 'EXTERNAL_API_FAILED', message: 'busy', retryAfterMs: 3e9 })
  })
  const onRetry = () => void setTimeout(() => giveUp.abort('enough'), 50)
  await expect(attemptStep({ run, first, onRetry })).rejects.toBe('enough')
  expect(run).toHaveBeenCalledTimes(1)
})
