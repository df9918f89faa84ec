import { expect, test } from 'vitest'
import { noSecretValues } from '../secret-values.ts'
import { noUsage } from '../step-failure.ts'
import { checkStatus } from './read-response.ts'

const inAMinute = () => new Date(Date.now() + 60_000).toUTCString()

test.each([
  ['7', [7000, 7000]],
  [inAMinute(), [30_000, 60_000]],
  ['soon', [undefined, undefined]],
])('a failed call is retried when the API asks for it: %s', (header, [min, max]) => {
  const response = { status: 429, headers: { 'retry-after': header }, body: Buffer.from('') }
  const failure = checkStatus({ url: 'https://api.example.com/' }, response as never, {
    usage: noUsage,
    used: noSecretValues,
  })
  if (min === undefined) expect(failure?.retryAfterMs).toBeUndefined()
  else {
    expect(failure?.retryAfterMs).toBeGreaterThanOrEqual(min)
    expect(failure?.retryAfterMs).toBeLessThanOrEqual(max ?? 0)
  }
})
