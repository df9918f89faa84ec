import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createShutdownDeadline } from './shutdown-deadline.ts'

test('the first call sets a deadline that all calls share', async () => {
  const timeLeftMs = createShutdownDeadline(60_000)
  await delay(30)
  const first = timeLeftMs()
  await delay(30)
  expect(timeLeftMs()).toBeLessThan(first - 20)
  expect(first).toBeGreaterThan(59_975)
  expect(createShutdownDeadline(0)()).toBe(0)
})
