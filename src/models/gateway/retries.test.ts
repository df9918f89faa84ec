import { expect, test } from 'vitest'
import { createMetrics } from '#kernel/telemetry'
import { ProviderFailure, type ProviderFailureKind } from '../providers/provider-failure.ts'
import { createRetries } from './retries.ts'

function createScene(random = 0.5) {
  const metrics = createMetrics({ watchProcess: false })
  return { metrics, retries: createRetries({ usual: 1, metrics, random: () => random }) }
}

const failure = (kind: ProviderFailureKind, retryAfterSeconds?: number) =>
  new ProviderFailure({ kind, message: 'It failed.', retryAfterSeconds })

test.each(['rate_limited', 'unavailable'] as const)('%s is retried after a growing pause', (kind) => {
  const { retries } = createScene()
  expect([0, 1, 2].map((retry) => retries.take('openai', failure(kind), retry))).toEqual([50, 100, 200])
})

test.each(['timeout', 'malformed', 'unauthorized', 'model_not_found', 'refused', 'unsupported'] as const)(
  '%s is not retried and takes nothing from the budget',
  (kind) => {
    const { retries } = createScene()
    for (let index = 0; index < 5; index += 1) {
      expect(retries.take('openai', failure(kind), 0)).toBeUndefined()
    }
    expect(retries.take('openai', failure('unavailable'), 0)).toBe(50)
  },
)

test('Retry-After is honoured up to two seconds', () => {
  const { retries } = createScene()
  expect(retries.take('openai', failure('rate_limited', 2), 0)).toBe(2000)
  expect(retries.take('openai', failure('rate_limited', 3), 0)).toBeUndefined()
})

test('the budget bounds the retries, which are counted', async () => {
  const { retries, metrics } = createScene()
  const taken = Array.from({ length: 6 }, () => retries.take('openai', failure('unavailable'), 0))
  expect(taken).toEqual([50, 50, 50, undefined, undefined, undefined])
  expect(await metrics.render()).toContain('tutti_models_retries_total{provider="openai"} 3')
})
