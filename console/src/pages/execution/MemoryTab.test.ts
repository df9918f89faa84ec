import { expect, test } from 'vitest'
import { activeUntil } from './MemoryTab.tsx'

test('the time after which a step wrote leaves out idle times', () => {
  const trace = {
    created_at: 90,
    started_at: 100,
    idle: [{ from: 110, to: 160, reason: 'suspended' as const }],
  }
  expect([105, 110, 130, 165].map((at) => activeUntil(trace, at))).toEqual([5, 10, 10, 15])
})
