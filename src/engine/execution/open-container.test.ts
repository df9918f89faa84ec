import { expect, test } from 'vitest'
import type { StepOutcome } from '../store/commit.ts'
import { spentBelow } from './open-container.ts'

const row = (stepId: string, spent: number | null) => ({ stepId, spent }) as StepOutcome

test('what the steps inside an open container have cost includes its ended scopes and containers once', () => {
  const loaded = [
    row('agent/$open', 0),
    row('agent/0/$end', 100),
    row('agent/1/$call_0', 20),
    row('agent/1/$call_1/$open', 0),
    row('agent/1/$call_1/0/ask', 3),
    row('agent/1/$call_1/0/guess', null),
    row('agents', 5000),
    row('other/0/$end', 5000),
  ]
  const unread = [
    { container: 'agent/1/$call_1/0/each', spent: 40 },
    { container: 'agents', spent: 5000 },
  ]
  expect(spentBelow(loaded, [], 'agent')).toBe(123)
  expect(spentBelow(loaded, unread, 'agent')).toBe(163)
  expect(spentBelow(loaded, [], 'agent/1/$call_1')).toBe(3)
  expect(spentBelow(loaded, unread, 'agent/1/$call_1')).toBe(43)
  expect(spentBelow(loaded, unread, 'agent/1/$call_1/0/each')).toBe(40)
})
