import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGrace } from './grace.ts'

test('the time is shared by all who ask, and starts with the first', async () => {
  const left = createGrace(60_000)
  await delay(30)
  const first = left()
  await delay(30)
  expect(left()).toBeLessThan(first - 20)
  expect(first).toBeGreaterThan(59_975)
  expect(createGrace(0)()).toBe(0)
})
