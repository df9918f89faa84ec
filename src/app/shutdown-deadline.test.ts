import { expect, onTestFinished, test, vi } from 'vitest'
import { createShutdownDeadline } from './shutdown-deadline.ts'

test('the first call sets a deadline that all calls share', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const timeLeftMs = createShutdownDeadline(60_000)
  vi.advanceTimersByTime(30)
  expect(timeLeftMs()).toBe(60_000)
  vi.advanceTimersByTime(30)
  expect(timeLeftMs()).toBe(59_970)
  expect(createShutdownDeadline(0)()).toBe(0)
})
