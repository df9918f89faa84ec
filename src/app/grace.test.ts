import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGrace } from './grace.ts'

test('the time is shared by all who ask, and starts with the first', async () => {
  const left = createGrace(1000)
  await delay(30)
  expect(left()).toBeGreaterThan(999)
  await delay(30)
  expect(left()).toBeLessThan(980)
  expect(createGrace(0)()).toBe(0)
})
